package tavola

import (
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
)

func TestPausesGrowAndEnd(t *testing.T) {
	unavailable := &Error{Code: codes.Unavailable}
	patience := patience{limit: 10 * time.Second}
	now := time.Now()
	began := now
	for attempt, longest := range []time.Duration{100, 200, 400, 800, 1600, 2000, 2000} {
		longest *= time.Millisecond
		pause, again := patience.pause(now, unavailable)
		if !again || pause < longest/2 || pause >= longest {
			t.Errorf("attempt %d: %v, %v", attempt, pause, again)
		}
		now = now.Add(pause)
	}
	if _, again := patience.pause(began.Add(10*time.Second), unavailable); again {
		t.Error("goes on for ever")
	}
	patience.restore()
	if pause, again := patience.pause(began.Add(10*time.Second), unavailable); !again || pause >= 100*time.Millisecond {
		t.Error("is not restored", pause, again)
	}
}

func TestTheServerMayAskForALongerPause(t *testing.T) {
	patience := patience{limit: 10 * time.Second}
	busy := &Error{Code: codes.ResourceExhausted, RetryDelay: 3 * time.Second}
	if pause, again := patience.pause(time.Now(), busy); !again || pause < 3*time.Second {
		t.Error(pause, again)
	}
	busy.RetryDelay = 11 * time.Second
	if _, again := patience.pause(time.Now(), busy); again {
		t.Error("waits for longer than it has patience")
	}
}

func TestWhatIsRepeated(t *testing.T) {
	for err, want := range map[error]bool{
		&Error{Code: codes.Unavailable, Reason: ErrStoreUnavailable}:                    true,
		&Error{Code: codes.DeadlineExceeded, Reason: ErrCallTimedOut}:                   true,
		&Error{Code: codes.DeadlineExceeded}:                                            true,
		&Error{Code: codes.DeadlineExceeded, ended: errors.New("the caller's context")}: false,
		&Error{Code: codes.Canceled}:                                                    false,
		&Error{Code: codes.Aborted, Reason: ErrStaleDecision}:                           false,
		&Error{Code: codes.ResourceExhausted, Reason: ErrLimitReached}:                  false,
		&Error{Code: codes.Internal, Reason: ErrInternal}:                               false,
		errors.New("of somebody else"):                                                  false,
	} {
		patience := patience{limit: time.Minute}
		if _, again := patience.pause(time.Now(), err); again != want {
			t.Errorf("%v: %v", err, again)
		}
	}
}

func TestOvertaken(t *testing.T) {
	for err, want := range map[error]bool{
		&Error{Code: codes.Aborted, Reason: ErrStaleDecision}:             true,
		&Error{Code: codes.Aborted, Reason: ErrOutOfTime}:                 true,
		&Error{Code: codes.FailedPrecondition, Reason: ErrGameOver}:       true,
		&Error{Code: codes.Aborted}:                                       false, // Nothing that the table said.
		&Error{Code: codes.FailedPrecondition, Reason: ErrActionNotLegal}: false,
		errors.New("of somebody else"):                                    false,
	} {
		if got := overtaken(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}
