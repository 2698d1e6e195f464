/**
 * Takes a seat of a session, plays it at random and prints the result: `player.ts ADDRESS SESSION_ID`. The conformance
 * kit seats it beside those of other languages.
 */
import { connect } from "tavola";

const [address, sessionId] = process.argv.slice(2);
const client = connect(address);
const seat = await client.join(sessionId!);
const { winners, returns } = await seat.play(({ legalActions }) => {
  return legalActions[Math.floor(Math.random() * legalActions.length)]!;
});
console.log(JSON.stringify({ seat: seat.seat, winners, returns }));
client.close();
