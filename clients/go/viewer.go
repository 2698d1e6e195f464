package tavola

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/protobuf/proto"

	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// A Viewer sees a session: as a spectator, see [Client.Spectator], or as a [Seat].
type Viewer struct {
	// SessionID is the session.
	SessionID string
	// Token is the seat token. Of a spectator it is empty or, where the session is private, the join token or the host's.
	Token Token
	// View is how legal actions are shown: in full if it is not set.
	View tavolav1.View

	client *Client
}

// Observe returns what the viewer knows now and, of a seat, what it may answer.
func (v *Viewer) Observe(ctx context.Context) (*tavolav1.GetObservationResponse, error) {
	request := &tavolav1.GetObservationRequest{SessionId: v.SessionID, View: v.View}
	return v.client.Sessions.GetObservation(Authorize(ctx, v.Token), request)
}

// Watch returns the updates of the session up to its result, beginning with a snapshot.
//
// If the stream is cut off it is resumed where it was, for as long as the client has patience. An error is the last
// that comes. The stream is closed when the loop over it is left.
func (v *Viewer) Watch(ctx context.Context) iter.Seq2[*tavolav1.Update, error] {
	return v.watch(ctx, nil)
}

// WatchFrom is Watch for somebody who has the updates up to a version: it begins with the one after it.
func (v *Viewer) WatchFrom(ctx context.Context, version uint64) iter.Seq2[*tavolav1.Update, error] {
	return v.watch(ctx, &version)
}

func (v *Viewer) watch(ctx context.Context, from *uint64) iter.Seq2[*tavolav1.Update, error] {
	return func(yield func(*tavolav1.Update, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // Closes the stream.
		have := from
		patience := patience{limit: v.client.patience}
		for {
			err := v.stream(ctx, have, func(update *tavolav1.Update) bool {
				patience.restore()
				have = proto.Uint64(update.GetVersion())
				return yield(update, nil)
			})
			if err == nil {
				return
			}
			if err := patience.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// stream hands on the updates of one stream until it ends, or until they are no longer wanted.
func (v *Viewer) stream(ctx context.Context, from *uint64, hand func(*tavolav1.Update) bool) error {
	request := &tavolav1.WatchSessionRequest{SessionId: v.SessionID, FromVersion: from, View: v.View}
	stream, err := v.client.Sessions.WatchSession(Authorize(ctx, v.Token), request)
	if err != nil {
		return err
	}
	for {
		reply, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !hand(reply.GetUpdate()) {
			return nil
		}
	}
}
