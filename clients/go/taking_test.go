package tavola_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	tavola "tavola.example/tavola"
	"tavola.example/tavola/internal/realserver"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// takers are the calls that take something from a fake: each returns which it was.
var takers = map[string]func(ctx context.Context, client *tavola.Client, requestID string) (string, error){
	"create": func(ctx context.Context, client *tavola.Client, requestID string) (string, error) {
		host, err := client.Create(ctx, &tavolav1.CreateSessionRequest{Game: "first", RequestId: requestID})
		if err != nil {
			return "", err
		}
		return host.SessionID, nil
	},
	"join": func(ctx context.Context, client *tavola.Client, requestID string) (string, error) {
		seat, err := client.Join(ctx, &tavolav1.JoinSessionRequest{SessionId: fakeSession, RequestId: requestID})
		if err != nil {
			return "", err
		}
		return strconv.Itoa(int(seat.Number)), nil
	},
	"add a bot": func(ctx context.Context, client *tavola.Client, requestID string) (string, error) {
		host := client.Host(fakeSession, fakeToken)
		seat, err := host.AddBot(ctx, &tavolav1.AddBotRequest{Bot: "random", RequestId: requestID})
		return strconv.Itoa(int(seat)), err
	},
}

// TestALostReplyIsAskedForAgain loses the first replies to what has taken something: nothing more is taken.
func TestALostReplyIsAskedForAgain(t *testing.T) {
	for name, take := range takers {
		t.Run(name, func(t *testing.T) {
			fake := newFake(t)
			client := connect(t, fake.address, tavola.WithTimeout(300*time.Millisecond))
			for _, requestID := range []string{"", "", "one-of-our-own-ids"} {
				fake.asked, fake.lost = nil, []codes.Code{codes.Unavailable, codes.DeadlineExceeded}
				before := len(fake.taken)
				if taken, err := take(t.Context(), client, requestID); err != nil || taken != strconv.Itoa(before) {
					t.Fatal(taken, err)
				}
				if len(fake.taken) != before+1 {
					t.Fatalf("took %v", fake.taken[before:])
				}
				id := fake.taken[before]
				checkEqual(t, "asked", fake.asked, []string{id, id, id})
				if requestID != "" && id != requestID {
					t.Errorf("%s in place of %s", id, requestID)
				}
				if !regexp.MustCompile("^[!-~]{16,64}$").MatchString(id) || slices.Contains(fake.taken[:before], id) {
					t.Errorf("%q is no fresh request id: %v", id, fake.taken)
				}
			}
		})
	}
}

// TestWhatIsRefusedIsNotAskedForAgain: nor is what the server said no to, nor for anybody without patience.
func TestWhatIsRefusedIsNotAskedForAgain(t *testing.T) {
	for name, take := range takers {
		t.Run(name, func(t *testing.T) {
			fake := newFake(t)
			fake.lost = []codes.Code{codes.FailedPrecondition, codes.Unavailable}
			for _, limit := range []time.Duration{time.Minute, 0} {
				want := fake.lost[0]
				fake.asked = nil
				_, err := take(t.Context(), connect(t, fake.address, tavola.WithPatience(limit)), "")
				if failed := asError(t, err); failed.Code != want || len(fake.asked) != 1 {
					t.Error(failed, fake.asked)
				}
			}
		})
	}
}

func TestARequestIsLeftAsItIs(t *testing.T) {
	fake := newFake(t)
	client := connect(t, fake.address)
	request := &tavolav1.JoinSessionRequest{SessionId: fakeSession}
	for seat := range uint32(2) {
		taken, err := client.Join(tavola.Authorize(t.Context(), "join"), request)
		if err != nil || taken.Number != seat {
			t.Error(taken, err)
		}
	}
	checkEqual(t, "authorization", fake.metadata.Get("authorization"), []string{"Bearer join"})
	if !proto.Equal(request, &tavolav1.JoinSessionRequest{SessionId: fakeSession}) {
		t.Error(request)
	}
}

// TestALostReplyOfARealServer loses the replies to what has had its effect, and cuts the connection then.
func TestALostReplyOfARealServer(t *testing.T) {
	t.Parallel()
	server := realserver.Start(t)
	direct, proxy := connect(t, server.Address), newProxy(t, server.Address)
	client := connect(t, proxy.address, tavola.WithPatience(time.Minute))
	// losing makes a call whose reply is lost, and checks what has been taken when it is done.
	losing := func(taken func() int, call func() error) {
		t.Helper()
		if _, err := client.Games(t.Context()); err != nil { // The connection stands.
			t.Fatal(err)
		}
		before := taken()
		proxy.loseReplies()
		var cutter sync.WaitGroup
		cutter.Go(func() {
			for taken() == before && t.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			proxy.cut()
		})
		err := call()
		cutter.Wait()
		if err != nil || taken() != before+1 {
			t.Fatalf("%d were taken: %v", taken()-before, err)
		}
	}
	var host *tavola.Host
	seats := func() (taken int) {
		for _, seat := range session(t, direct, host.SessionID).Seats {
			if seat.Holder != tavolav1.SeatHolder_SEAT_HOLDER_OPEN {
				taken++
			}
		}
		return taken
	}
	losing(func() int { return len(listed(t, direct)) }, func() (err error) {
		host, err = client.Create(t.Context(), &tavolav1.CreateSessionRequest{Game: "citadels", Seats: proto.Uint32(3)})
		return err
	})
	for range 2 {
		losing(seats, func() error { return only(host.Join(t.Context())) })
	}
	losing(seats, func() error { return only(host.AddBot(t.Context(), &tavolav1.AddBotRequest{Bot: "random"})) })
	if status := session(t, direct, host.SessionID).Status; status != tavolav1.SessionStatus_SESSION_STATUS_RUNNING {
		t.Error(status)
	}
}

// listed returns the ids of the sessions that everybody may see.
func listed(t *testing.T, client *tavola.Client) (ids []string) {
	t.Helper()
	reply, err := client.Sessions.ListSessions(t.Context(), &tavolav1.ListSessionsRequest{})
	if err != nil {
		t.Error(err)
	}
	for _, session := range reply.GetSessions() {
		ids = append(ids, session.SessionId)
	}
	return ids
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
	if slices.Contains(listed(t, client), host.SessionID) {
		t.Error("is listed")
	}
	seat := join(t, client.Host(host.SessionID, host.Token)) // The host needs no join token.
	stranger := client.Spectator(host.SessionID)
	if err := ended(t, stranger); !errors.Is(err, tavola.ErrSessionNotFound) {
		t.Error(err)
	}
	guest, err := client.Join(tavola.Authorize(t.Context(), host.JoinToken), request)
	if err != nil {
		t.Fatal(err)
	}
	spectator := client.Spectator(host.SessionID)
	spectator.Token = host.JoinToken
	if seen, err := spectator.Observe(t.Context()); err != nil || seen.Seat != nil || len(seen.LegalActions) != 0 {
		t.Error(seen, err)
	}
	if shown, err := client.Session(tavola.Authorize(t.Context(), host.JoinToken), host.SessionID); err != nil || !shown.Private {
		t.Error(shown, err)
	}
	if _, err := guest.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	outcome, err := seat.Play(t.Context(), atRandom)
	if err != nil || len(outcome.Winners) != 1 || outcome.Winners[0] != seat.Number {
		t.Error(outcome, err)
	}
	updates := watchAll(t, spectator)
	if last := updates[len(updates)-1]; last.Seat != nil || !proto.Equal(last.Outcome, outcome) {
		t.Error(last)
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

func TestAServerThatWantsAnAPIKey(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef0123456789abcdef"
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte("somebody = "+key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := realserver.Start(t, "--api-keys-file", keys)
	request := &tavolav1.CreateSessionRequest{Game: "santorini"}
	for _, client := range []*tavola.Client{
		connect(t, server.Address),
		connect(t, server.Address, tavola.WithAPIKey("another key of the same length..")),
	} {
		for _, err := range []error{
			only(client.Create(t.Context(), request)),
			only(client.Sessions.ListSessions(t.Context(), &tavolav1.ListSessionsRequest{})),
		} {
			if !errors.Is(err, tavola.ErrAPIKeyRequired) || asError(t, err).Code != codes.Unauthenticated {
				t.Error(err)
			}
		}
	}
	client := connect(t, server.Address, tavola.WithAPIKey(key))
	host := create(t, client, request)
	checkEqual(t, "sessions", listed(t, client), []string{host.SessionID})
	guest := connect(t, server.Address) // Whoever comes needs no key.
	if _, err := guest.Join(t.Context(), &tavolav1.JoinSessionRequest{SessionId: host.SessionID}); err != nil {
		t.Error(err)
	}
}
