// Package tavola plays board games on a Tavola server.
//
//	client, err := tavola.Connect("localhost:50051")
//	...
//	seat, err := client.Join(ctx, &tavolav1.JoinSessionRequest{SessionId: sessionID})
//	...
//	outcome, err := seat.Play(ctx, func(ctx context.Context, update *tavolav1.Update) (tavola.Answer, error) {
//		return tavola.ByID(update.LegalActions[0].GetActionId()), nil
//	})
//
// It is thin: it adds tokens, deadlines and typed errors to the calls of the contract, and [Seat.Play] and
// [Viewer.Watch] come back after a broken connection. The messages are in proto/tavola/v1 and, per game, in
// proto/tavola/GAME/v1; their documentation is that of the contract. What has no method here goes through the stubs
// [Client.Catalog] and [Client.Sessions], with a token from [Authorize].
//
// # Errors
//
// A refused or failed call returns an [*Error], which says the status code, the reason, and the fields that are wrong.
// A [Reason] is an error too, to be asked for:
//
//	if errors.Is(err, tavola.ErrSessionFull) { ... }
//
// A call that ended because its context did is that error, too: [context.Canceled], [context.DeadlineExceeded], or
// the context's cause.
//
// # Repeating
//
// What counts once is repeated for as long as the server cannot be reached: the answer to a decision, by [Seat.Submit],
// and what takes a session or a seat, by [Client.Create], [Client.Join] and [Host.AddBot], which give each request an id
// if it has none. [Viewer.Watch] resumes after the last update that came. All wait longer from time to time, and not for
// ever: see [WithPatience]. No other call is repeated.
//
// # Private sessions
//
// A session that is created as private is there for those who have a token of it: the host hands out [Host.JoinToken],
// which opens the door to join, see [Authorize], and to watch, see [Viewer].
package tavola
