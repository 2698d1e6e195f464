package tavola

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"

	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// A Seat is the right to play a seat: see [Client.Join] and [Client.Seat]. It sees the session as that seat.
type Seat struct {
	Viewer
	// Number is the seat's, from 0.
	Number uint32
}

// An Answer answers a decision: see [ByID] and [ByMeaning]. The zero Answer says nothing and is refused.
type Answer struct {
	id     *uint32
	action *tavolav1.Action
}

// ByID answers with the action that has this id.
func ByID(actionID uint32) Answer { return Answer{id: &actionID} }

// ByMeaning answers with an action.
func ByMeaning(action *tavolav1.Action) Answer { return Answer{action: action} }

// A Policy chooses the answer to the decision of an update. An error ends the play.
type Policy func(ctx context.Context, update *tavolav1.Update) (Answer, error)

// Submit answers a decision.
//
// It is safe to repeat: the same answer again gets the first reply and changes nothing. If no reply comes, Submit does
// so itself for as long as the client has patience.
func (s *Seat) Submit(ctx context.Context, decisionID uint64, answer Answer) (*tavolav1.SubmitActionResponse, error) {
	return s.submit(ctx, decisionID, answer, s.View)
}

// Leave leaves the seat. In a started game this is a resignation.
func (s *Seat) Leave(ctx context.Context) (*tavolav1.Session, error) {
	request := &tavolav1.LeaveSessionRequest{SessionId: s.SessionID}
	reply, err := s.client.Sessions.LeaveSession(Authorize(ctx, s.Token), request)
	return reply.GetSession(), err
}

// Play plays the seat to the end of the game and returns the result.
//
// It watches the session and submits what the policy answers whenever the seat owes a decision. If the decision has
// passed meanwhile it goes on with the next. After an end of the program, Play again goes on where the game is.
func (s *Seat) Play(ctx context.Context, policy Policy) (*tavolav1.Outcome, error) {
	var answered uint64 // Decisions are numbered from 1.
	for update, err := range s.Watch(ctx) {
		if err != nil {
			return nil, err
		}
		if outcome := update.GetOutcome(); outcome != nil {
			return outcome, nil
		}
		decision := update.GetDecision()
		// Where several seats decide at once, updates from before our own answer counted still ask us for it.
		if !slices.Contains(decision.GetSeats(), s.Number) || decision.GetDecisionId() == answered {
			continue
		}
		answer, err := policy(ctx, update)
		if err != nil {
			return nil, err
		}
		answered = decision.GetDecisionId()
		// The stream tells what comes of it, so a lean reply will do.
		if _, err := s.submit(ctx, answered, answer, tavolav1.View_VIEW_LEAN); err != nil && !overtaken(err) {
			return nil, err
		}
	}
	return nil, &Error{Code: codes.Internal, Message: "the stream ended without a result"}
}

func (s *Seat) submit(
	ctx context.Context, decisionID uint64, answer Answer, view tavolav1.View,
) (*tavolav1.SubmitActionResponse, error) {
	request := &tavolav1.SubmitActionRequest{SessionId: s.SessionID, DecisionId: decisionID, View: view}
	switch {
	case answer.id != nil:
		request.Answer = &tavolav1.SubmitActionRequest_ActionId{ActionId: *answer.id}
	case answer.action != nil:
		request.Answer = &tavolav1.SubmitActionRequest_Action{Action: answer.action}
	}
	return repeat(ctx, s.client.patience, func() (*tavolav1.SubmitActionResponse, error) {
		return s.client.Sessions.SubmitAction(Authorize(ctx, s.Token), request)
	})
}
