/** What the tests play with. Runs in Node and in a browser. */
import { type CreateSettings, type Policy, type v1 } from "tavola/web";
import * as citadels from "tavola/citadels/v1";

/** Any legal action, in either view. */
export const atRandom: Policy = ({ legalActions, legalActionIds }: v1.Update) => {
  const ids = legalActions.length > 0 ? legalActions.map(({ actionId }) => actionId!) : legalActionIds;
  return ids[Math.floor(Math.random() * ids.length)]!;
};

/** What a game needs to be said with so many seats: eight players of Citadels need a ninth character. */
export function setup(game: string, seats: number): CreateSettings {
  if (game !== "citadels" || seats !== 8) return { seats };
  return { seats, options: { game: { case: "citadels", value: { bonusCharacters: [citadels.Character.QUEEN] } } } };
}
