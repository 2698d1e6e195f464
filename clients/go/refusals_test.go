package tavola_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	tavola "tavola.example/tavola"
	"tavola.example/tavola/internal/realserver"
	santoriniv1 "tavola.example/tavola/proto/tavola/santorini/v1"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func santorini(options *santoriniv1.Options) *tavolav1.Options {
	return &tavolav1.Options{Game: &tavolav1.Options_Santorini{Santorini: options}}
}

// only is the error of a call whose reply is not wanted.
func only[T any](_ T, err error) error { return err }

// ended is the error that a stream ends with.
func ended(t *testing.T, viewer *tavola.Viewer) (last error) {
	for _, err := range viewer.Watch(t.Context()) {
		last = err
	}
	return last
}

// A table is a session of Santorini with two players.
type table struct {
	host   *tavola.Host
	seats  [2]*tavola.Seat
	toAct  *tavola.Seat // Who owes the first answer.
	other  *tavola.Seat
	update *tavolav1.GetObservationResponse // What toAct sees.
}

func newTable(t *testing.T, client *tavola.Client) (table table) {
	t.Helper()
	table.host = create(t, client, &tavolav1.CreateSessionRequest{Game: "santorini", Seed: proto.Uint64(1)})
	table.seats = [2]*tavola.Seat{join(t, table.host), join(t, table.host)}
	for i, seat := range table.seats {
		update, err := seat.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(update.LegalActions) > 0 {
			table.toAct, table.other, table.update = seat, table.seats[1-i], update
		}
	}
	return table
}

// TestRefusals maps what a real server refuses to errors of this package.
func TestRefusals(t *testing.T) {
	t.Parallel()
	client := connect(t, realserver.Start(t).Address)
	full := connect(t, realserver.Start(t, "--sessions-max", "1").Address, tavola.WithPatience(0))
	create(t, full, &tavolav1.CreateSessionRequest{Game: "santorini"})

	running := newTable(t, client)
	nobody := client.Seat(running.toAct.SessionID, running.toAct.Number, "")
	forger := client.Seat(running.toAct.SessionID, running.toAct.Number, running.toAct.Token[1:]+"A")
	owner := client.Seat(running.toAct.SessionID, running.toAct.Number, running.host.Token)
	thief := client.Host(running.host.SessionID, running.toAct.Token)
	open := running.update.Decision.DecisionId
	legal := running.update.LegalActions

	passed := newTable(t, client)
	first := passed.update.LegalActions
	if _, err := passed.toAct.Submit(t.Context(), open, tavola.ByID(first[0].GetActionId())); err != nil {
		t.Fatal(err)
	}
	over := newTable(t, client)
	if _, err := over.other.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	waiting := create(t, client, &tavolav1.CreateSessionRequest{Game: "santorini"})
	early := join(t, waiting)
	deleted := create(t, client, &tavolav1.CreateSessionRequest{Game: "santorini"})
	if err := deleted.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}

	ctx := t.Context()
	for _, test := range []struct {
		name   string
		err    error
		code   codes.Code
		reason tavola.Reason
		field  string // The one that is wrong, if any is.
	}{
		{"no game", only(client.Create(ctx, &tavolav1.CreateSessionRequest{})),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "game"},
		{"an unknown game", only(client.Create(ctx, &tavolav1.CreateSessionRequest{Game: "chess"})),
			codes.NotFound, tavola.ErrGameNotFound, ""},
		{"an unknown game of the catalog", only(client.Catalog.GetGame(ctx, &tavolav1.GetGameRequest{Game: "chess"})),
			codes.NotFound, tavola.ErrGameNotFound, ""},
		{"too many seats", only(client.Create(ctx, &tavolav1.CreateSessionRequest{Game: "santorini", Seats: proto.Uint32(5)})),
			codes.InvalidArgument, tavola.ErrOptionsNotLegal, "seats"},
		{"options out of range", only(client.Create(ctx, &tavolav1.CreateSessionRequest{
			Game: "santorini", Options: santorini(&santoriniv1.Options{MaxTurns: proto.Uint32(0)})})),
			codes.InvalidArgument, tavola.ErrOptionsNotLegal, "options.santorini.max_turns"},
		{"options of another game", only(client.Create(ctx, &tavolav1.CreateSessionRequest{
			Game: "citadels", Options: santorini(&santoriniv1.Options{})})),
			codes.InvalidArgument, tavola.ErrOptionsNotLegal, "options"},
		{"a page that was never offered", only(client.Catalog.ListGames(ctx, &tavolav1.ListGamesRequest{PageToken: "?"})),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "page_token"},
		{"a server that is full", only(full.Create(ctx, &tavolav1.CreateSessionRequest{Game: "santorini"})),
			codes.ResourceExhausted, tavola.ErrLimitReached, ""},
		{"no session", only(client.Session(ctx, "")),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "session_id"},
		{"an unknown session", only(client.Join(ctx, &tavolav1.JoinSessionRequest{SessionId: "nowhere"})),
			codes.NotFound, tavola.ErrSessionNotFound, ""},
		{"a deleted session", only(client.Session(ctx, deleted.SessionID)),
			codes.NotFound, tavola.ErrSessionNotFound, ""},
		{"a deleted session is deleted", deleted.Delete(ctx),
			codes.NotFound, tavola.ErrSessionNotFound, ""},
		{"a deleted session is watched", ended(t, client.Spectator(deleted.SessionID)),
			codes.NotFound, tavola.ErrSessionNotFound, ""},
		{"all seats are taken", only(running.host.Join(ctx)),
			codes.FailedPrecondition, tavola.ErrSessionFull, ""},
		{"a seat that is taken", only(client.Join(ctx, &tavolav1.JoinSessionRequest{
			SessionId: waiting.SessionID, Seat: proto.Uint32(early.Number)})),
			codes.FailedPrecondition, tavola.ErrSeatTaken, ""},
		{"a seat that there is not", only(client.Join(ctx, &tavolav1.JoinSessionRequest{
			SessionId: waiting.SessionID, Seat: proto.Uint32(2)})),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "seat"},
		{"an unknown bot", only(waiting.AddBot(ctx, &tavolav1.AddBotRequest{Bot: "clever"})),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "bot"},
		{"a bot without a token", only(client.Host(waiting.SessionID, "").AddBot(ctx, &tavolav1.AddBotRequest{Bot: "random"})),
			codes.Unauthenticated, tavola.ErrTokenRequired, ""},
		{"a player deletes", thief.Delete(ctx),
			codes.PermissionDenied, tavola.ErrSeatMismatch, ""},
		{"the host plays", only(owner.Submit(ctx, open, tavola.ByID(legal[0].GetActionId()))),
			codes.PermissionDenied, tavola.ErrSeatMismatch, ""},
		{"nobody plays", only(nobody.Submit(ctx, open, tavola.ByID(legal[0].GetActionId()))),
			codes.Unauthenticated, tavola.ErrTokenRequired, ""},
		{"a forged token looks", only(forger.Observe(ctx)),
			codes.Unauthenticated, tavola.ErrTokenRequired, ""},
		{"a forged token watches", ended(t, &forger.Viewer),
			codes.Unauthenticated, tavola.ErrTokenRequired, ""},
		{"decision 0", only(running.toAct.Submit(ctx, 0, tavola.ByID(legal[0].GetActionId()))),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "decision_id"},
		{"no answer", only(running.toAct.Submit(ctx, open, tavola.Answer{})),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "answer"},
		{"an action id out of range", only(running.toAct.Submit(ctx, open, tavola.ByID(1_000_000))),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "action_id"},
		{"an action without a meaning", only(running.toAct.Submit(ctx, open, tavola.ByMeaning(&tavolav1.Action{}))),
			codes.InvalidArgument, tavola.ErrMalformedRequest, "action.santorini"},
		{"an action that is not legal", only(running.toAct.Submit(ctx, open, tavola.ByID(499))),
			codes.FailedPrecondition, tavola.ErrActionNotLegal, ""},
		{"a seat that is not asked", only(running.other.Submit(ctx, open, tavola.ByID(legal[0].GetActionId()))),
			codes.FailedPrecondition, tavola.ErrNotToAct, ""},
		{"another answer to the same decision", only(passed.toAct.Submit(ctx, open, tavola.ByID(first[1].GetActionId()))),
			codes.Aborted, tavola.ErrStaleDecision, ""},
		{"a game that has not begun", only(early.Submit(ctx, 1, tavola.ByID(0))),
			codes.FailedPrecondition, tavola.ErrSessionNotStarted, ""},
		{"a game that is over", only(over.toAct.Submit(ctx, open, tavola.ByID(legal[0].GetActionId()))),
			codes.FailedPrecondition, tavola.ErrGameOver, ""},
		{"the replay of a game that goes on",
			only(client.Sessions.GetReplay(ctx, &tavolav1.GetReplayRequest{SessionId: running.host.SessionID})),
			codes.FailedPrecondition, tavola.ErrSessionNotFinished, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			failed := asError(t, test.err)
			if failed.Code != test.code || !errors.Is(test.err, test.reason) {
				t.Error(failed)
			}
			if failed.Message == "" {
				t.Error("says nothing to people")
			}
			named := slices.ContainsFunc(failed.Violations, func(v tavola.Violation) bool {
				return v.Field == test.field && v.Description != ""
			})
			if named != (test.field != "") {
				t.Error(failed.Violations)
			}
			switch test.reason {
			case tavola.ErrStaleDecision:
				if failed.Metadata["decision_id"] == "" || failed.Metadata["seats"] == "" {
					t.Error(failed.Metadata)
				}
			case tavola.ErrLimitReached:
				if failed.Metadata["max"] != "1" || failed.RetryDelay <= 0 || !failed.Transient() {
					t.Error(failed.Metadata, failed.RetryDelay)
				}
			}
		})
	}
}

func TestAServerThatGoesDownSaysSo(t *testing.T) {
	t.Parallel()
	server := realserver.Start(t)
	seat := againstABot(t, connect(t, server.Address, tavola.WithPatience(0)))
	var stopping sync.WaitGroup
	defer stopping.Wait()
	terminate := sync.OnceFunc(func() { stopping.Go(func() { server.Terminate(t) }) })
	for _, err := range seat.Watch(t.Context()) {
		if err == nil {
			terminate()
			continue
		}
		if failed := asError(t, err); !errors.Is(err, tavola.ErrShuttingDown) || failed.Metadata["resume_version"] == "" {
			t.Error(err)
		}
		return
	}
	t.Error("the stream has ended without an error")
}
