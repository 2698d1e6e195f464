package tavola

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A Reason says why a call was refused: the name of an ErrorReason of the contract without its prefix, such as
// "STALE_DECISION". It is an error, for [errors.Is].
type Reason string

// Error returns the reason.
func (r Reason) Error() string { return string(r) }

// A Violation is a field of a request that is wrong.
type Violation struct {
	// Field is its path, such as "options.santorini.max_turns".
	Field string
	// Description is what is wrong with it and what is allowed.
	Description string
}

// An Error is a call that the server refused, or that did not reach it.
type Error struct {
	// Code is the status code.
	Code codes.Code
	// Message is what went wrong, for people.
	Message string
	// Reason is why. A newer server may send one that this package has no constant for. Empty if the error comes from
	// elsewhere than the table.
	Reason Reason
	// Metadata holds the facts that belong to the reason, such as the "decision_id" that is open now.
	Metadata map[string]string
	// Violations are the fields of the request that are wrong.
	Violations []Violation
	// RetryDelay is the time after which the server asks to try again. 0 if it does not.
	RetryDelay time.Duration

	status *status.Status
	ended  error // Why the caller's context ended, if that ended the call.
}

// Error returns code, reason and message in one line.
func (e *Error) Error() string {
	return strings.TrimRight(e.Code.String()+" "+string(e.Reason), " ") + ": " + e.Message
}

// Is tells whether this is an error with the [Reason] that target is.
func (e *Error) Is(target error) bool {
	reason, ok := target.(Reason)
	return ok && reason != "" && reason == e.Reason
}

// Unwrap returns why the caller's context ended, if that ended the call.
func (e *Error) Unwrap() error { return e.ended }

// GRPCStatus returns the status with all its details, for [status.FromError] and [status.Code].
func (e *Error) GRPCStatus() *status.Status {
	if e.status != nil {
		return e.status
	}
	return status.New(e.Code, e.Message)
}

// Transient tells whether the same call may succeed a little later. That does not say that it had no effect: repeat
// only what is safe to repeat.
func (e *Error) Transient() bool {
	if e.ended != nil {
		return false
	}
	return e.Code == codes.Unavailable || e.Code == codes.DeadlineExceeded || e.RetryDelay > 0
}

// overtaken tells whether an answer came too late: the table has gone on, and the stream will tell how.
func overtaken(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return false
	}
	return refused.Reason == ErrGameOver || refused.Reason != "" && refused.Code == codes.Aborted
}

// typed makes an *Error of what a call with the context ctx has returned.
func typed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	said := status.Convert(err)
	this := &Error{Code: said.Code(), Message: said.Message(), status: said}
	if this.Code == codes.Canceled || this.Code == codes.DeadlineExceeded {
		this.ended = context.Cause(ctx)
	}
	for _, detail := range said.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.Domain == "tavola" {
				this.Reason, this.Metadata = Reason(detail.Reason), detail.Metadata
			}
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				this.Violations = append(this.Violations, Violation{violation.Field, violation.Description})
			}
		case *errdetails.RetryInfo:
			this.RetryDelay = detail.RetryDelay.AsDuration()
		}
	}
	return this
}
