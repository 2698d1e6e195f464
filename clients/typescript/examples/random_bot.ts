/** Plays a whole game at random against house bots and prints the result: `random_bot.ts [GAME] [--bot BOT] [--address ADDRESS]`. */
import { parseArgs } from "node:util";

import { connect, TavolaError } from "tavola";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bot: { type: "string", default: "random" }, address: { type: "string", default: "localhost:50051" } },
});
const game = positionals[0] ?? "santorini";

const client = connect(values.address);
try {
  const host = await client.create(game);
  const me = await host.join();
  const { seats } = await client.session(host.sessionId);
  for (let others = 1; others < seats.length; others++) await host.addBot(values.bot);
  const { winners, returns } = await me.play(({ legalActions }) => {
    return legalActions[Math.floor(Math.random() * legalActions.length)]!;
  });

  const names = winners.map((seat) => `seat ${seat}` + (seat === me.seat ? " (this bot)" : ""));
  console.log(`${game}: ${names.join(" and ") || "nobody"} won. Returns by seat: ${returns.join(" ")}`);
} catch (error) {
  if (!(error instanceof TavolaError)) throw error;
  console.error(`No game: ${error.message}`);
  process.exitCode = 1;
} finally {
  client.close();
}
