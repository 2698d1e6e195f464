package tavola_test

import (
	"errors"
	"testing"

	"tavola.example/tavola"
	"tavola.example/tavola/internal/realserver"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func TestAJoinWhoseReplyIsLostIsMadeAgainWithItsRequestID(t *testing.T) {
	fake := newFake(t)
	fake.unheardJoins = 2
	request := &tavolav1.JoinSessionRequest{SessionId: fakeSession, RequestId: "join-once-please"}
	ctx := tavola.Authorize(t.Context(), "join")
	seat, err := connect(t, fake.address).Join(ctx, request)
	if err != nil || seat.Token != fakeToken {
		t.Fatal(seat, err)
	}
	checkEqual(t, "request ids", fake.joined, []string{request.RequestId, request.RequestId, request.RequestId})
	checkEqual(t, "tokens", fake.metadata.Get("authorization"), []string{"Bearer join"})
}

func TestAJoinWithoutARequestIDIsNotMadeAgain(t *testing.T) {
	fake := newFake(t)
	fake.unheardJoins = 1
	_, err := connect(t, fake.address).Join(t.Context(), &tavolav1.JoinSessionRequest{SessionId: fakeSession})
	if !errors.Is(err, tavola.ErrStoreUnavailable) {
		t.Error(err)
	}
	checkEqual(t, "request ids", fake.joined, []string{""})
}

func TestASessionAndItsSeatsAreTakenOnce(t *testing.T) {
	t.Parallel()
	client := connect(t, realserver.Start(t).Address)
	var hosts [2]*tavola.Host
	var seats [2]*tavola.Seat
	for i := range 2 {
		hosts[i] = create(t, client, &tavolav1.CreateSessionRequest{Game: "citadels", RequestId: "one-session-for-all"})
		request := &tavolav1.JoinSessionRequest{SessionId: hosts[i].SessionID, RequestId: "one-seat-for-all-of-us"}
		seat, err := client.Join(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		seats[i] = seat
	}
	if hosts[0].SessionID != hosts[1].SessionID || seats[0].Number != seats[1].Number || seats[0].Token != seats[1].Token {
		t.Error(hosts, seats)
	}
	bot := uint32(1)
	for range 2 {
		addBot(t, hosts[0], &tavolav1.AddBotRequest{Bot: "random", Seat: &bot, RequestId: "one-bot-for-all-of-us"})
	}
	other := &tavolav1.JoinSessionRequest{
		SessionId: hosts[0].SessionID, Seat: &bot, RequestId: "one-seat-for-all-of-us",
	}
	if _, err := client.Join(t.Context(), other); !errors.Is(err, tavola.ErrRequestIDReused) {
		t.Error(err)
	}
}

func TestAPrivateSessionIsThereForItsTokens(t *testing.T) {
	t.Parallel()
	client := connect(t, realserver.Start(t).Address)
	host := create(t, client, &tavolav1.CreateSessionRequest{Game: "santorini", Private: true})
	request := &tavolav1.JoinSessionRequest{SessionId: host.SessionID}
	if _, err := client.Join(t.Context(), request); !errors.Is(err, tavola.ErrSessionNotFound) {
		t.Error(err)
	}
	seat := join(t, host)
	guest, err := client.Join(tavola.Authorize(t.Context(), host.JoinToken), request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := guest.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	outcome, err := seat.Play(t.Context(), atRandom)
	if err != nil || len(outcome.Winners) != 1 || outcome.Winners[0] != seat.Number {
		t.Error(outcome, err)
	}
	whole := &tavolav1.GetReplayRequest{SessionId: host.SessionID}
	if _, err := client.Replay(t.Context(), whole); !errors.Is(err, tavola.ErrSessionNotFound) {
		t.Error(err)
	}
	replay, err := client.Replay(tavola.Authorize(t.Context(), seat.Token), whole)
	if err != nil || len(replay.Steps) != int(replay.Plies)+1 {
		t.Error(replay, err)
	}
}
