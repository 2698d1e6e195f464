/**
 * A bot that thinks a little about Santorini: it looks one step ahead, climbs, and blocks who is about to win. Whatever
 * else there is to decide it decides at random, and so it plays the other games too.
 *
 * `climber.ts [GAME] [--bot BOT] [--games N] [--address ADDRESS]` plays against house bots and prints how often it won.
 */
import { parseArgs } from "node:util";

import { connect, TavolaError, type v1 } from "tavola";
import * as santorini from "tavola/santorini/v1";

/** Chooses the legal action that looks best. */
function climb({ observation, seat, legalActions }: v1.Update): v1.LegalAction {
  const table = observation?.game.case === "santorini" ? observation.game.value : undefined;
  const values = legalActions.map(({ action }) => {
    const chosen = action?.game.case === "santorini" ? action.game.value : undefined;
    return (table && chosen ? worth(chosen, table, seat ?? 0) : 0) + Math.random();
  });
  return legalActions[values.indexOf(Math.max(...values))]!;
}

/** What an action is worth on this table: whole numbers, so that chance decides between equals. */
function worth({ kind }: santorini.Action, { board, workers, players }: santorini.Observation, seat: number): number {
  const levels = board?.levels ?? [];
  const sides = new Map(players.map((player) => [player.seat, player.side]));
  const ours = (worker: santorini.Worker) => sides.get(worker.seat) === sides.get(seat);
  const level = (space: number) => levels[space] ?? 0;
  const open = (space: number) => !board?.domes.includes(space);
  const placed = workers.flatMap((worker) =>
    worker.space === undefined ? [] : [{ worker, space: worker.space, ours: ours(worker) }],
  );
  /** Whether one of theirs stands beside a space, no more than one level below `height`. */
  const reached = (space: number, height: number) =>
    placed.some((each) => !each.ours && beside(each.space, space) && level(each.space) >= height - 1);

  switch (kind.case) {
    case "placeWorker":
      return roominess(kind.value.space ?? 0);
    case "move": {
      const { worker, to = 0 } = kind.value;
      const from = placed.find((each) => each.worker.worker === worker)?.space ?? to;
      if (level(to) === 3 && level(from) === 2) return 1000;
      const denied = level(to) === 3 && reached(to, 3) ? 50 : 0;
      const next = spaces.filter((each) => beside(each, to) && open(each) && level(each) === level(to) + 1).length;
      return 20 * (level(to) - level(from)) + 10 * level(to) + denied + 2 * next + roominess(to);
    }
    case "build":
    case "preBuild": {
      const { space = 0, piece } = kind.value;
      if (piece === santorini.Piece.DOME || level(space) === 3)
        return reached(space, 3) && level(space) === 3 ? 500 : -30;
      const height = level(space) + 1;
      if (height === 3 && reached(space, 3)) return -500;
      const useful = placed.some((each) => each.ours && beside(each.space, space) && level(each.space) >= height - 1);
      return (useful ? 10 * height : 0) - (reached(space, height) ? 5 * height : 0);
    }
    default:
      return 0;
  }
}

/** The 25 spaces, row by row. */
const spaces = Array.from({ length: 25 }, (_, space) => space);

/** Whether two spaces are neighbors. */
function beside(one: number, other: number): boolean {
  const columns = Math.abs((one % 5) - (other % 5));
  const rows = Math.abs(Math.floor(one / 5) - Math.floor(other / 5));
  return Math.max(columns, rows) === 1;
}

/** How near the center a space is: 0 at the rim, 2 in the middle. */
function roominess(space: number): number {
  return 2 - Math.max(Math.abs((space % 5) - 2), Math.abs(Math.floor(space / 5) - 2));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bot: { type: "string", default: "random" },
    games: { type: "string", default: "10" },
    address: { type: "string", default: "localhost:50051" },
  },
});
const game = positionals[0] ?? "santorini";

const client = connect(values.address);
try {
  let won = 0;
  for (let played = 0; played < Number(values.games); played++) {
    const host = await client.create(game);
    const { seats } = await client.session(host.sessionId);
    const me = await host.join(played % seats.length);
    for (let others = 1; others < seats.length; others++) await host.addBot(values.bot);
    const { winners } = await me.play(climb);
    won += winners.includes(me.seat) ? 1 : 0;
  }
  console.log(`${game} against ${values.bot}: won ${won} of ${values.games}.`);
} catch (error) {
  if (!(error instanceof TavolaError)) throw error;
  console.error(`No game: ${error.message}`);
  process.exitCode = 1;
} finally {
  client.close();
}
