/**
 * Plays board games on a Tavola server.
 *
 * <pre>{@code
 * try (Client client = Client.connect("localhost:50051")) {
 *     Seat seat = client.join(sessionId);
 *     Outcome outcome = seat.play(update -> Answer.byId(update.getLegalActions(0).getActionId()));
 * }
 * }</pre>
 *
 * <p>It is thin: it adds tokens, deadlines and typed errors to the calls of the contract, and {@link tavola.Seat#play}
 * and {@link tavola.Viewer#watch} come back after a broken connection. The messages are in {@code tavola.v1} and, per
 * game, in {@code tavola.GAME.v1}; their documentation is that of the contract. What has no method here goes through
 * the stubs {@link tavola.Client#catalog} and {@link tavola.Client#sessions}, or through stubs of another kind over
 * {@link tavola.Client#channel}, with a token from {@link tavola.Token#authorize}.
 *
 * <h2>Errors</h2>
 *
 * <p>A refused or failed call throws a {@link tavola.TavolaException}, which says the status code, the reason, and the
 * fields that are wrong. A call ends early if its thread is interrupted or its {@link io.grpc.Context} is cancelled.
 *
 * <h2>Repeating</h2>
 *
 * <p>What is safe to repeat is repeated while the server cannot be reached: to read; to answer a decision, which counts
 * once however often it is given; to open a session, take a seat or add a bot with a {@code request_id}, which the
 * methods that take no request choose themselves. {@link tavola.Viewer#watch} resumes after the last update that came.
 * All of them wait longer from time to time, and not for ever: see {@link tavola.ClientBuilder#patience}. To leave a seat
 * and to delete a session is not repeated.
 */
package tavola;
