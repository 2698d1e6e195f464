package tavola

import (
	"context"
	"fmt"
	"log/slog"

	"google.golang.org/grpc/metadata"
)

// A Token is the right to host a session, to play a seat, or to come to a private session. It does not show when it is
// printed or logged; to keep it, convert it to a string.
type Token string

// Format writes that there is a token, or none, and not which.
func (t Token) Format(state fmt.State, _ rune) {
	if t != "" {
		_, _ = fmt.Fprint(state, "(secret)")
	}
}

// LogValue is what [log/slog] logs: that there is a token, or none, and not which.
func (t Token) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(t)) }

// Authorize returns a context for calls with a token, through the stubs of a client. An empty token is none.
func Authorize(ctx context.Context, token Token) context.Context {
	if token == "" {
		return ctx
	}
	sent, _ := metadata.FromOutgoingContext(ctx)
	sent = sent.Copy()
	sent.Set("authorization", "Bearer "+string(token))
	return metadata.NewOutgoingContext(ctx, sent)
}
