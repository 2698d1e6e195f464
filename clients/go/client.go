package tavola

import (
	"context"
	"crypto/rand"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// A Client is a connection to a server: see [Connect]. It may be used by several goroutines at once.
//
// The connection carries as many calls and streams at once as the server allows (streams_per_connection_max in
// Limits), the others wait. Whoever plays more seats needs more clients.
type Client struct {
	// Catalog is the stub of CatalogService.
	Catalog tavolav1.CatalogServiceClient
	// Sessions is the stub of SessionService.
	Sessions tavolav1.SessionServiceClient

	connection *grpc.ClientConn
	patience   time.Duration
}

// Close ends the connection and all that goes on over it.
func (c *Client) Close() error { return c.connection.Close() }

// Games returns all games that can be played here.
func (c *Client) Games(ctx context.Context) ([]*tavolav1.Game, error) {
	var games []*tavolav1.Game
	request := &tavolav1.ListGamesRequest{}
	for {
		page, err := c.Catalog.ListGames(ctx, request)
		if err != nil {
			return nil, err
		}
		games = append(games, page.Games...)
		if page.NextPageToken == "" {
			return games, nil
		}
		request.PageToken = page.NextPageToken
	}
}

// Create opens a session. It starts when all its seats are taken.
//
// If no reply comes, Create asks again with the same request_id, for as long as the client has patience: one session is
// opened. The request may carry an id of its own, drawn at random, such as a UUID. If it does not, it gets one that nobody
// can guess. So it is with Join and AddBot.
func (c *Client) Create(ctx context.Context, request *tavolav1.CreateSessionRequest) (*Host, error) {
	asked := &tavolav1.CreateSessionRequest{RequestId: rand.Text()}
	proto.Merge(asked, request) // Its own id, if it has one.
	reply, err := repeat(ctx, c.patience, func() (*tavolav1.CreateSessionResponse, error) {
		return c.Sessions.CreateSession(ctx, asked)
	})
	if err != nil {
		return nil, err
	}
	host := c.Host(reply.SessionId, Token(reply.HostToken))
	host.JoinToken = Token(reply.JoinToken)
	return host, nil
}

// Join takes a seat: the one that is asked for, or the first that is open. A private session wants its join token: see
// [Authorize]. About lost replies see [Client.Create].
func (c *Client) Join(ctx context.Context, request *tavolav1.JoinSessionRequest) (*Seat, error) {
	asked := &tavolav1.JoinSessionRequest{RequestId: rand.Text()}
	proto.Merge(asked, request)
	reply, err := repeat(ctx, c.patience, func() (*tavolav1.JoinSessionResponse, error) {
		return c.Sessions.JoinSession(ctx, asked)
	})
	if err != nil {
		return nil, err
	}
	return c.Seat(request.GetSessionId(), reply.GetSeat(), Token(reply.SeatToken)), nil
}

// Session returns a session with its seats, as it is now. A private one wants a token of it: see [Authorize].
func (c *Client) Session(ctx context.Context, sessionID string) (*tavolav1.Session, error) {
	reply, err := c.Sessions.GetSession(ctx, &tavolav1.GetSessionRequest{SessionId: sessionID})
	if err != nil {
		return nil, err
	}
	return reply.Session, nil
}

// Replay returns the record of a finished game, all its pages in one, with the events of the seat that is asked for or a
// spectator's. That of a private session wants a token of it: see [Authorize].
func (c *Client) Replay(ctx context.Context, request *tavolav1.GetReplayRequest) (*tavolav1.GetReplayResponse, error) {
	request = proto.CloneOf(request)
	replay, err := c.Sessions.GetReplay(ctx, request)
	for err == nil && replay.NextPageToken != "" {
		request.PageToken = replay.NextPageToken
		var page *tavolav1.GetReplayResponse
		if page, err = c.Sessions.GetReplay(ctx, request); err == nil {
			replay.Steps = append(replay.Steps, page.Steps...)
			replay.NextPageToken = page.NextPageToken
		}
	}
	if err != nil {
		return nil, err
	}
	return replay, nil
}

// Host comes back to a session that was opened earlier. It calls nobody.
func (c *Client) Host(sessionID string, token Token) *Host {
	return &Host{SessionID: sessionID, Token: token, client: c}
}

// Seat comes back to a seat that was taken earlier. It calls nobody.
func (c *Client) Seat(sessionID string, seat uint32, token Token) *Seat {
	return &Seat{Viewer: Viewer{SessionID: sessionID, Token: token, client: c}, Number: seat}
}

// Spectator is somebody who sees a session without a seat. A private one wants a token: see [Viewer]. It calls nobody.
func (c *Client) Spectator(sessionID string) *Viewer {
	return &Viewer{SessionID: sessionID, client: c}
}

// A Host may set up a session: see [Client.Create] and [Client.Host].
type Host struct {
	// SessionID is the session.
	SessionID string
	// Token is the host token.
	Token Token
	// JoinToken is what whoever may come to a private session needs, to join or to watch. Empty if it is not private.
	JoinToken Token

	client *Client
}

// Join takes the first seat that is open. The host needs no join token, even if the session is private.
func (h *Host) Join(ctx context.Context) (*Seat, error) {
	return h.client.Join(Authorize(ctx, h.Token), &tavolav1.JoinSessionRequest{SessionId: h.SessionID})
}

// AddBot gives a seat to a house bot: the seat that is asked for, or the first that is open. The session of the request
// is the host's. It returns the seat. About lost replies see [Client.Create].
func (h *Host) AddBot(ctx context.Context, request *tavolav1.AddBotRequest) (uint32, error) {
	asked := &tavolav1.AddBotRequest{RequestId: rand.Text()}
	proto.Merge(asked, request)
	asked.SessionId = h.SessionID
	reply, err := repeat(ctx, h.client.patience, func() (*tavolav1.AddBotResponse, error) {
		return h.client.Sessions.AddBot(Authorize(ctx, h.Token), asked)
	})
	return reply.GetSeat(), err
}

// Delete ends and forgets the session.
func (h *Host) Delete(ctx context.Context) error {
	request := &tavolav1.DeleteSessionRequest{SessionId: h.SessionID}
	_, err := h.client.Sessions.DeleteSession(Authorize(ctx, h.Token), request)
	return err
}
