package tavola_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	tavola "tavola.example/tavola"
	santoriniv1 "tavola.example/tavola/proto/tavola/santorini/v1"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// connect returns a client of a server, closed at the end of the test.
func connect(t testing.TB, address string, options ...tavola.Option) *tavola.Client {
	t.Helper()
	client, err := tavola.Connect(address, append([]tavola.Option{tavola.WithPatience(5 * time.Second)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func fakeSeat(t *testing.T, fake *fakeServer, options ...tavola.Option) *tavola.Seat {
	t.Helper()
	return connect(t, fake.address, options...).Seat(fakeSession, 0, fakeToken)
}

// firstLegal takes the first legal action and notes what it was asked.
func firstLegal(asked *[]uint64) tavola.Policy {
	return func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		*asked = append(*asked, update.Decision.DecisionId)
		return tavola.ByID(update.LegalActions[0].GetActionId()), nil
	}
}

func checkEqual[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestPlay plays through all the trouble that a network and other players can make. Each decision is asked once,
// whatever happens.
func TestPlay(t *testing.T) {
	plain := []given{{1, 10}, {3, 30}, {5, 50}}
	for _, test := range []struct {
		name      string
		trouble   func(*fakeTable)
		submitted []given
		watched   []int64
		third     uint32 // The answer to decision 3 that counts.
	}{
		{"no trouble", func(*fakeTable) {}, plain, []int64{-1}, 30},
		{"a stream that breaks is resumed where it was",
			func(f *fakeTable) { f.cuts = once(1, 4) }, plain, []int64{-1, 1, 4}, 30},
		{"an answer that never arrived is given again",
			func(f *fakeTable) { f.unseen = once(3) }, []given{{1, 10}, {3, 30}, {3, 30}, {5, 50}}, []int64{-1}, 30},
		{"an answer whose reply is lost is given again and counts once",
			func(f *fakeTable) { f.unheard = once(1, 5) },
			[]given{{1, 10}, {1, 10}, {3, 30}, {5, 50}, {5, 50}}, []int64{-1}, 30},
		{"an answer whose reply is late is given again and counts once",
			func(f *fakeTable) { f.late = once(3) }, []given{{1, 10}, {3, 30}, {3, 30}, {5, 50}}, []int64{-1}, 30},
		{"a decision that has passed is left alone",
			func(f *fakeTable) { f.overtaken = once(3) }, plain, []int64{-1}, 31},
		{"a decision that is asked for again is answered once",
			func(f *fakeTable) { f.lagging = once(3, 5) }, plain, []int64{-1}, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake := newFake(t)
			test.trouble(fake.fakeTable)
			var asked []uint64
			seat := fakeSeat(t, fake, tavola.WithTimeout(500*time.Millisecond))
			outcome, err := seat.Play(t.Context(), firstLegal(&asked))
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(outcome, &tavolav1.Outcome{Winners: []uint32{0}, Returns: []int32{1, -1}}) {
				t.Error(outcome)
			}
			checkEqual(t, "asked", asked, []uint64{1, 3, 5})
			checkEqual(t, "submitted", fake.submitted, test.submitted)
			checkEqual(t, "watched", fake.watched, test.watched)
			checkEqual(t, "counted", []uint32{fake.answers[1], fake.answers[3], fake.answers[5]}, []uint32{10, test.third, 50})
		})
	}
}

func TestPlayByMeaning(t *testing.T) {
	fake := newFake(t)
	policy := func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		move := &santoriniv1.Move{Worker: proto.Uint32(0), To: update.LegalActions[1].ActionId}
		action := &santoriniv1.Action{Kind: &santoriniv1.Action_Move{Move: move}}
		return tavola.ByMeaning(&tavolav1.Action{Game: &tavolav1.Action_Santorini{Santorini: action}}), nil
	}
	if _, err := fakeSeat(t, fake).Play(t.Context(), policy); err != nil {
		t.Fatal(err)
	}
	checkEqual(t, "submitted", fake.submitted, []given{{1, 11}, {3, 31}, {5, 51}})
}

func TestAnIllegalActionIsTheBotsFault(t *testing.T) {
	fake := newFake(t)
	policy := func(context.Context, *tavolav1.Update) (tavola.Answer, error) { return tavola.ByID(99), nil }
	if _, err := fakeSeat(t, fake).Play(t.Context(), policy); !errors.Is(err, tavola.ErrActionNotLegal) {
		t.Error(err)
	}
	checkEqual(t, "submitted", fake.submitted, []given{{1, 99}})
}

func TestNoAnswerIsRefused(t *testing.T) {
	fake := newFake(t)
	policy := func(context.Context, *tavolav1.Update) (tavola.Answer, error) { return tavola.Answer{}, nil }
	if _, err := fakeSeat(t, fake).Play(t.Context(), policy); !errors.Is(err, tavola.ErrMalformedRequest) {
		t.Error(err)
	}
}

func TestTheErrorOfAPolicyComesOut(t *testing.T) {
	trouble := &tavola.Error{Code: codes.Unavailable, Message: "the bot's own"}
	policy := func(context.Context, *tavolav1.Update) (tavola.Answer, error) { return tavola.Answer{}, trouble }
	if _, err := fakeSeat(t, newFake(t)).Play(t.Context(), policy); err != trouble {
		t.Error(err)
	}
}

func TestAStreamThatEndsWithoutAResultIsAnError(t *testing.T) {
	fake := newFake(t)
	fake.hangsUp = true
	_, err := fakeSeat(t, fake).Play(t.Context(), firstLegal(new([]uint64)))
	if err == nil || !strings.Contains(err.Error(), "without a result") {
		t.Error(err)
	}
}

func TestPatienceEnds(t *testing.T) {
	for _, test := range []struct{ patience, longest time.Duration }{{0, time.Second}, {time.Second / 2, 3 * time.Second}} {
		fake := newFake(t)
		seat := fakeSeat(t, fake, tavola.WithPatience(test.patience))
		policy := func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
			fake.stop()
			return tavola.ByID(update.LegalActions[0].GetActionId()), nil
		}
		began := time.Now()
		_, err := seat.Play(t.Context(), policy)
		var failed *tavola.Error
		if !errors.As(err, &failed) || failed.Code != codes.Unavailable || failed.Reason != "" {
			t.Error(err)
		}
		if took := time.Since(began); took > test.longest {
			t.Errorf("gave up after %v", took)
		}
	}
}

func TestAServerThatRestartsIsWaitedFor(t *testing.T) {
	fake := newFake(t)
	var asked []uint64
	policy := func(ctx context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		if update.Decision.DecisionId == 3 {
			fake.stop()
			time.AfterFunc(300*time.Millisecond, fake.start)
		}
		return firstLegal(&asked)(ctx, update)
	}
	if _, err := fakeSeat(t, fake).Play(t.Context(), policy); err != nil {
		t.Fatal(err)
	}
	checkEqual(t, "asked", asked, []uint64{1, 3, 5})
	checkEqual(t, "submitted", fake.submitted, []given{{1, 10}, {3, 30}, {5, 50}})
	checkEqual(t, "watched", fake.watched, []int64{-1, 3})
}

func TestAWatcherSeesEveryVersionOnce(t *testing.T) {
	fake := newFake(t)
	seat := fakeSeat(t, fake)
	if _, err := seat.Play(t.Context(), firstLegal(new([]uint64))); err != nil {
		t.Fatal(err)
	}
	fake.cuts = once(3, 5)
	updates := seat.WatchFrom(t.Context(), 1)
	for range 2 { // It may be gone through again.
		want := uint64(2)
		for update, err := range updates {
			if err != nil {
				t.Fatal(err)
			}
			if update.Version != want {
				t.Fatalf("version %d, want %d", update.Version, want)
			}
			want++
		}
		if want != uint64(len(fake.history)+1) {
			t.Errorf("it ended before version %d", want)
		}
	}
	checkEqual(t, "watched", fake.watched, []int64{-1, 1, 3, 5, 1})
}

// TestAWatcherThatLeavesClosesItsStream would hang in a server that stops gracefully, which waits for all streams.
func TestAWatcherThatLeavesClosesItsStream(t *testing.T) {
	fake := newFake(t)
	for _, err := range fakeSeat(t, fake).Watch(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	stopped := make(chan struct{})
	go func() {
		fake.server.GracefulStop()
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("the stream is open")
	}
}

func TestTheContextEndsAPlay(t *testing.T) {
	enough := errors.New("enough")
	t.Run("while the policy thinks", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		policy := func(context.Context, *tavolav1.Update) (tavola.Answer, error) {
			cancel(enough)
			return tavola.ByID(10), nil
		}
		if _, err := fakeSeat(t, newFake(t)).Play(ctx, policy); !errors.Is(err, enough) {
			t.Error(err)
		}
	})
	t.Run("while it waits to try again", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		fake := newFake(t)
		fake.stop()
		began := time.Now()
		_, err := fakeSeat(t, fake, tavola.WithPatience(time.Hour)).Play(ctx, firstLegal(new([]uint64)))
		var failed *tavola.Error
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &failed) {
			t.Error(err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("ended after %v", took)
		}
	})
}
