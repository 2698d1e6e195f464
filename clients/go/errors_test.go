package tavola_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	tavola "tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// asError is the *Error that a call has failed with.
func asError(t *testing.T, err error) *tavola.Error {
	t.Helper()
	var failed *tavola.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%v is no *tavola.Error", err)
	}
	return failed
}

// refusal is the *Error of a call that is refused with these details.
func refusal(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) *tavola.Error {
	t.Helper()
	fake := newFake(t)
	fake.refusal = refuse(code, "enough", details...)
	_, err := fakeSeat(t, fake).Observe(t.Context())
	failed := asError(t, err)
	if failed.Code != code || failed.Message != "enough" {
		t.Error(failed)
	}
	return failed
}

func TestAViolationNamesTheField(t *testing.T) {
	_, err := fakeSeat(t, newFake(t)).Submit(t.Context(), 0, tavola.ByID(1))
	failed := asError(t, err)
	if failed.Code != codes.InvalidArgument || failed.Transient() || !errors.Is(err, tavola.ErrMalformedRequest) {
		t.Error(failed)
	}
	checkEqual(t, "violations", failed.Violations, []tavola.Violation{{Field: "decision_id", Description: "must be at least 1"}})
	const text = "InvalidArgument MALFORMED_REQUEST: the request is malformed"
	if err.Error() != text {
		t.Error(err)
	}
}

func TestAStaleDecisionTellsTheCurrentOne(t *testing.T) {
	seat := fakeSeat(t, newFake(t))
	if _, err := seat.Observe(t.Context()); err != nil {
		t.Fatal(err)
	}
	first, err := seat.Submit(t.Context(), 1, tavola.ByID(10))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := seat.Submit(t.Context(), 1, tavola.ByID(10)); err != nil || again.Version != first.Version {
		t.Error(again, err)
	}
	_, err = seat.Submit(t.Context(), 1, tavola.ByID(11))
	if !errors.Is(err, tavola.ErrStaleDecision) || errors.Is(err, tavola.ErrGameOver) {
		t.Error(err)
	}
	if facts := asError(t, err).Metadata; !maps.Equal(facts, map[string]string{"decision_id": "3", "seats": "0"}) {
		t.Error(facts)
	}
}

func TestAStreamIsRefusedLikeACall(t *testing.T) {
	client := connect(t, newFake(t).address)
	for update, err := range client.Seat("another", 0, fakeToken).Watch(t.Context()) {
		if update != nil || !errors.Is(err, tavola.ErrSessionNotFound) || status.Code(err) != codes.NotFound {
			t.Error(update, err)
		}
	}
	for _, err := range client.Spectator(fakeSession).Watch(t.Context()) {
		if !errors.Is(err, tavola.ErrTokenRequired) || status.Code(err) != codes.Unauthenticated {
			t.Error(err)
		}
	}
}

// TestEveryReasonOfTheContract has a constant, and comes out as that and no other.
func TestEveryReasonOfTheContract(t *testing.T) {
	reasons := map[tavola.Reason]codes.Code{
		tavola.ErrMalformedRequest:   codes.InvalidArgument,
		tavola.ErrOptionsNotLegal:    codes.InvalidArgument,
		tavola.ErrActionNotLegal:     codes.FailedPrecondition,
		tavola.ErrNotToAct:           codes.FailedPrecondition,
		tavola.ErrGameOver:           codes.FailedPrecondition,
		tavola.ErrSessionFull:        codes.FailedPrecondition,
		tavola.ErrSeatTaken:          codes.FailedPrecondition,
		tavola.ErrSessionNotStarted:  codes.FailedPrecondition,
		tavola.ErrSessionNotFinished: codes.FailedPrecondition,
		tavola.ErrStaleDecision:      codes.Aborted,
		tavola.ErrSessionNotFound:    codes.NotFound,
		tavola.ErrGameNotFound:       codes.NotFound,
		tavola.ErrTokenRequired:      codes.Unauthenticated,
		tavola.ErrSeatMismatch:       codes.PermissionDenied,
		tavola.ErrLimitReached:       codes.ResourceExhausted,
		tavola.ErrShuttingDown:       codes.Unavailable,
		tavola.ErrStoreUnavailable:   codes.Unavailable,
		tavola.ErrInternal:           codes.Internal,
		tavola.ErrCallTimedOut:       codes.DeadlineExceeded,
		tavola.ErrSessionDamaged:     codes.DataLoss,
		tavola.ErrSessionOutdated:    codes.FailedPrecondition,
		tavola.ErrOutOfTime:          codes.Aborted,
		tavola.ErrAPIKeyRequired:     codes.Unauthenticated,
		tavola.ErrRequestIDReused:    codes.FailedPrecondition,
		tavola.ErrSandbox:            codes.FailedPrecondition,
	}
	for number, name := range tavolav1.ErrorReason_name {
		reason := tavola.Reason(strings.TrimPrefix(name, "ERROR_REASON_"))
		if _, known := reasons[reason]; !known && number != 0 {
			t.Errorf("%s is not tried", reason)
		}
	}
	for reason, code := range reasons {
		if _, known := tavolav1.ErrorReason_value["ERROR_REASON_"+string(reason)]; !known {
			t.Errorf("%s is not in the contract", reason)
		}
		failed := refusal(t, code, info(string(reason), "fact", "value"))
		for other := range reasons {
			if errors.Is(failed, other) != (other == reason) {
				t.Errorf("%v, and it is %s", failed, other)
			}
		}
		if failed.Metadata["fact"] != "value" {
			t.Error(failed.Metadata)
		}
	}
}

func TestAReasonThatThisPackageDoesNotKnow(t *testing.T) {
	failed := refusal(t, codes.ResourceExhausted, info("TABLE_ON_FIRE", "since", "noon"))
	if !errors.Is(fmt.Errorf("no game: %w", failed), tavola.Reason("TABLE_ON_FIRE")) || failed.Metadata["since"] != "noon" {
		t.Error(failed)
	}
}

func TestTheDetailsOfOthersAreNotOurs(t *testing.T) {
	other := info("STALE_DECISION")
	other.Domain = "proxy.example"
	failed := refusal(t, codes.ResourceExhausted, &errdetails.Help{}, other)
	if failed.Reason != "" || failed.Metadata != nil || failed.Violations != nil || errors.Is(failed, tavola.Reason("")) {
		t.Errorf("%#v", failed)
	}
	if details := status.Convert(failed).Details(); len(details) != 2 {
		t.Error(details)
	}
}

func TestADelayMakesAnErrorTransient(t *testing.T) {
	retry := &errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)}
	failed := refusal(t, codes.ResourceExhausted, info("LIMIT_REACHED"), retry)
	if failed.RetryDelay != 1500*time.Millisecond || !failed.Transient() {
		t.Error(failed)
	}
	if refusal(t, codes.ResourceExhausted, info("LIMIT_REACHED")).Transient() {
		t.Error("transient")
	}
}

func TestNoServer(t *testing.T) {
	_, err := connect(t, "127.0.0.1:1").Games(t.Context())
	if failed := asError(t, err); failed.Code != codes.Unavailable || failed.Reason != "" || !failed.Transient() {
		t.Error(err)
	}
}

func TestTheEndOfTheContextIsTheError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := fakeSeat(t, newFake(t)).Observe(ctx)
	if !errors.Is(err, context.Canceled) || asError(t, err).Code != codes.Canceled || asError(t, err).Transient() {
		t.Error(err)
	}
}
