package tavola_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

const (
	fakeSession   = "fake"
	fakeToken     = "hush"
	fakeDecisions = 6
)

// A given is an answer that somebody has given.
type given struct {
	decisionID uint64
	actionID   uint32
}

// A fakeTable makes trouble on demand. It holds one session: two seats answer in turns, and seat 1 answers by itself at
// once. Decision n has the legal actions 10 * n and 10 * n + 1. Whoever joins first gets seat 0.
type fakeTable struct {
	tavolav1.UnimplementedCatalogServiceServer
	tavolav1.UnimplementedSessionServiceServer

	mutex   sync.Mutex
	changed chan struct{} // Closed, and replaced, when there is something new.
	history []*tavolav1.Update
	replies map[uint64]*tavolav1.SubmitActionResponse
	answers map[uint64]uint32

	// The trouble. Sets of decisions and versions lose what has happened.
	refusal   error
	unseen    map[uint64]bool // Decisions to which a submission fails before it has an effect.
	unheard   map[uint64]bool // Decisions to which a submission counts, but its reply is lost.
	late      map[uint64]bool // Decisions to which the reply comes too late.
	overtaken map[uint64]bool // Decisions that somebody else answers before our submission.
	lagging   map[uint64]bool // Decisions that two updates in a row ask for.
	cuts      map[uint64]bool // Versions after which a stream breaks.
	hangsUp   bool            // Whether a stream ends well before the game does.

	lost []codes.Code // How the replies to the next calls that take something are lost, though they count.

	// What was asked.
	watched   []int64 // From which versions; -1: from a snapshot.
	submitted []given
	asked     []string    // The request ids of all calls that take something.
	taken     []string    // Those by which something was taken, once each.
	metadata  metadata.MD // Of the latest call.
}

// A fakeServer is a server with a fake table.
type fakeServer struct {
	*fakeTable
	address string
	options []grpc.ServerOption
	server  *grpc.Server
}

func newFake(t *testing.T, options ...grpc.ServerOption) *fakeServer {
	fake := launch(options...)
	t.Cleanup(fake.stop)
	return fake
}

func launch(options ...grpc.ServerOption) *fakeServer {
	table := &fakeTable{
		changed: make(chan struct{}),
		replies: map[uint64]*tavolav1.SubmitActionResponse{},
		answers: map[uint64]uint32{},
	}
	fake := &fakeServer{fakeTable: table, address: "127.0.0.1:0", options: options}
	fake.start()
	return fake
}

// start starts the server, again at its address and with its table if it was stopped.
func (f *fakeServer) start() {
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		panic(err)
	}
	f.address = listener.Addr().String()
	f.server = grpc.NewServer(f.options...)
	tavolav1.RegisterCatalogServiceServer(f.server, f.fakeTable)
	tavolav1.RegisterSessionServiceServer(f.server, f.fakeTable)
	go func() {
		if err := f.server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			panic(err)
		}
	}()
}

// stop cuts all connections.
func (f *fakeServer) stop() { f.server.Stop() }

func once(numbers ...uint64) map[uint64]bool {
	set := map[uint64]bool{}
	for _, number := range numbers {
		set[number] = true
	}
	return set
}

func happens(trouble map[uint64]bool, number uint64) bool {
	defer delete(trouble, number)
	return trouble[number]
}

func refuse(code codes.Code, message string, details ...protoadapt.MessageV1) error {
	refusal, err := status.New(code, message).WithDetails(details...)
	if err != nil {
		panic(err)
	}
	return refusal.Err()
}

func info(reason string, facts ...string) *errdetails.ErrorInfo {
	metadata := map[string]string{}
	for fact := range slices.Chunk(facts, 2) {
		metadata[fact[0]] = fact[1]
	}
	return &errdetails.ErrorInfo{Reason: reason, Domain: "tavola", Metadata: metadata}
}

// append publishes an update.
func (f *fakeTable) append(update *tavolav1.Update) {
	update.Version = uint64(len(f.history) + 1)
	update.Seat = proto.Uint32(0)
	f.history = append(f.history, update)
	close(f.changed)
	f.changed = make(chan struct{})
}

// ask publishes a decision, and answers it if it is seat 1's.
func (f *fakeTable) ask(decisionID uint64) {
	if decisionID > fakeDecisions {
		f.append(&tavolav1.Update{
			Status:  tavolav1.SessionStatus_SESSION_STATUS_FINISHED,
			Outcome: &tavolav1.Outcome{Winners: []uint32{0}, Returns: []int32{1, -1}},
		})
		return
	}
	seat := uint32(decisionID-1) % 2
	times := 1
	if happens(f.lagging, decisionID) {
		times = 2
	}
	for range times {
		update := &tavolav1.Update{
			Status:   tavolav1.SessionStatus_SESSION_STATUS_RUNNING,
			Decision: &tavolav1.Decision{DecisionId: decisionID, Seats: []uint32{seat}},
		}
		if seat == 0 {
			for i := range uint32(2) {
				action := &tavolav1.LegalAction{ActionId: proto.Uint32(10*uint32(decisionID) + i)}
				update.LegalActions = append(update.LegalActions, action)
			}
		}
		f.append(update)
	}
	if seat == 1 {
		f.apply(decisionID, 0)
	}
}

// apply lets an answer count.
func (f *fakeTable) apply(decisionID uint64, actionID uint32) {
	f.answers[decisionID] = actionID
	f.replies[decisionID] = &tavolav1.SubmitActionResponse{Version: uint64(len(f.history) + 1)}
	f.ask(decisionID + 1)
}

// admit checks session and token, refuses whatever a test wants refused, and opens the game.
func (f *fakeTable) admit(ctx context.Context, sessionID string) error {
	f.metadata, _ = metadata.FromIncomingContext(ctx)
	if f.refusal != nil {
		return f.refusal
	}
	if sessionID != fakeSession {
		return refuse(codes.NotFound, "no such session", info("SESSION_NOT_FOUND"))
	}
	if !slices.Equal(f.metadata.Get("authorization"), []string{"Bearer " + fakeToken}) {
		return refuse(codes.Unauthenticated, "needs a seat token", info("TOKEN_REQUIRED"))
	}
	if len(f.history) == 0 {
		f.ask(1)
	}
	return nil
}

func (f *fakeTable) ListGames(
	ctx context.Context, request *tavolav1.ListGamesRequest,
) (*tavolav1.ListGamesResponse, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.metadata, _ = metadata.FromIncomingContext(ctx)
	if request.PageToken == "" {
		games := []*tavolav1.Game{{Game: "first"}, {Game: "second"}}
		return &tavolav1.ListGamesResponse{Games: games, NextPageToken: "2"}, nil
	}
	return &tavolav1.ListGamesResponse{Games: []*tavolav1.Game{{Game: "third"}}}, nil
}

// take takes something, once per request id, and returns which it was, from 0.
func (f *fakeTable) take(ctx context.Context, requestID string) (uint32, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.metadata, _ = metadata.FromIncomingContext(ctx)
	if f.refusal != nil {
		return 0, f.refusal
	}
	f.asked = append(f.asked, requestID)
	number := slices.Index(f.taken, requestID)
	if number < 0 || requestID == "" {
		number = len(f.taken)
		f.taken = append(f.taken, requestID)
	}
	if len(f.lost) == 0 {
		return uint32(number), nil
	}
	code := f.lost[0]
	f.lost = f.lost[1:]
	if code == codes.DeadlineExceeded {
		f.mutex.Unlock()
		<-ctx.Done()
		f.mutex.Lock()
	}
	return 0, status.Error(code, "lost")
}

func (f *fakeTable) CreateSession(
	ctx context.Context, request *tavolav1.CreateSessionRequest,
) (*tavolav1.CreateSessionResponse, error) {
	number, err := f.take(ctx, request.RequestId)
	id := strconv.FormatUint(uint64(number), 10)
	return &tavolav1.CreateSessionResponse{SessionId: id, HostToken: fakeToken, JoinToken: "join"}, err
}

func (f *fakeTable) JoinSession(
	ctx context.Context, request *tavolav1.JoinSessionRequest,
) (*tavolav1.JoinSessionResponse, error) {
	number, err := f.take(ctx, request.RequestId)
	return &tavolav1.JoinSessionResponse{Seat: &number, SeatToken: fakeToken}, err
}

func (f *fakeTable) AddBot(ctx context.Context, request *tavolav1.AddBotRequest) (*tavolav1.AddBotResponse, error) {
	number, err := f.take(ctx, request.RequestId)
	return &tavolav1.AddBotResponse{Seat: &number}, err
}

func (f *fakeTable) GetObservation(
	ctx context.Context, request *tavolav1.GetObservationRequest,
) (*tavolav1.GetObservationResponse, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.admit(ctx, request.SessionId); err != nil {
		return nil, err
	}
	latest := f.history[len(f.history)-1]
	return &tavolav1.GetObservationResponse{Version: latest.Version, Decision: latest.Decision}, nil
}

func (f *fakeTable) SubmitAction(
	ctx context.Context, request *tavolav1.SubmitActionRequest,
) (*tavolav1.SubmitActionResponse, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.admit(ctx, request.SessionId); err != nil {
		return nil, err
	}
	decisionID, actionID := request.DecisionId, request.GetActionId()
	if move := request.GetAction().GetSantorini().GetMove(); move != nil {
		actionID = move.GetTo()
	}
	f.submitted = append(f.submitted, given{decisionID, actionID})
	if decisionID == 0 || request.Answer == nil {
		violation := &errdetails.BadRequest_FieldViolation{Field: "decision_id", Description: "must be at least 1"}
		wrong := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{violation}}
		return nil, refuse(codes.InvalidArgument, "the request is malformed", info("MALFORMED_REQUEST"), wrong)
	}
	if happens(f.unseen, decisionID) {
		return nil, refuse(codes.Unavailable, "going down", info("SHUTTING_DOWN"))
	}
	if happens(f.overtaken, decisionID) {
		f.apply(decisionID, 10*uint32(decisionID)+1)
	}
	if first, answered := f.answers[decisionID]; answered && first == actionID {
		return f.replies[decisionID], nil
	} else if answered {
		current := strconv.Itoa(len(f.answers) + 1)
		stale := info("STALE_DECISION", "decision_id", current, "seats", "0")
		return nil, refuse(codes.Aborted, "the decision has passed", stale)
	}
	legal := f.history[len(f.history)-1].LegalActions
	if !slices.ContainsFunc(legal, func(a *tavolav1.LegalAction) bool { return a.GetActionId() == actionID }) {
		return nil, refuse(codes.FailedPrecondition, "not legal now", info("ACTION_NOT_LEGAL"))
	}
	f.apply(decisionID, actionID)
	if happens(f.unheard, decisionID) {
		return nil, refuse(codes.Unavailable, "not stored", info("STORE_UNAVAILABLE"))
	}
	if happens(f.late, decisionID) {
		f.mutex.Unlock()
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond) // The clock of the client may be a little later.
		f.mutex.Lock()
	}
	return f.replies[decisionID], nil
}

func (f *fakeTable) WatchSession(
	request *tavolav1.WatchSessionRequest, stream grpc.ServerStreamingServer[tavolav1.WatchSessionResponse],
) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.admit(stream.Context(), request.SessionId); err != nil {
		return err
	}
	seen := uint64(len(f.history) - 1)
	if request.FromVersion != nil {
		seen = request.GetFromVersion()
		f.watched = append(f.watched, int64(seen))
	} else {
		f.watched = append(f.watched, -1)
	}
	for {
		for uint64(len(f.history)) == seen {
			changed := f.changed
			f.mutex.Unlock()
			select {
			case <-changed:
			case <-stream.Context().Done():
			}
			f.mutex.Lock()
			if err := stream.Context().Err(); err != nil {
				return status.FromContextError(err).Err()
			}
		}
		update := f.history[seen]
		if err := stream.Send(&tavolav1.WatchSessionResponse{Update: update}); err != nil {
			return err
		}
		seen++
		if update.Outcome != nil || f.hangsUp {
			return nil
		}
		if happens(f.cuts, seen) {
			resume := info("SHUTTING_DOWN", "resume_version", strconv.FormatUint(seen, 10))
			return refuse(codes.Unavailable, "going down", resume)
		}
	}
}
