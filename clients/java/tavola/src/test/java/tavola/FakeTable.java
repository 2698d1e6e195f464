package tavola;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tavola.v1.AddBotRequest;
import tavola.v1.AddBotResponse;
import tavola.v1.CatalogServiceGrpc.CatalogServiceImplBase;
import tavola.v1.CreateSessionRequest;
import tavola.v1.CreateSessionResponse;
import tavola.v1.Decision;
import tavola.v1.Game;
import tavola.v1.GetObservationRequest;
import tavola.v1.GetObservationResponse;
import tavola.v1.JoinSessionRequest;
import tavola.v1.JoinSessionResponse;
import tavola.v1.LegalAction;
import tavola.v1.ListGamesRequest;
import tavola.v1.ListGamesResponse;
import tavola.v1.Outcome;
import tavola.v1.SessionServiceGrpc.SessionServiceImplBase;
import tavola.v1.SessionStatus;
import tavola.v1.SubmitActionRequest;
import tavola.v1.SubmitActionResponse;
import tavola.v1.Update;
import tavola.v1.WatchSessionRequest;
import tavola.v1.WatchSessionResponse;

/**
 * A table that makes trouble on demand. It holds one session: two seats answer in turns, and seat 1 answers by itself at
 * once. Decision n has the legal actions 10 * n and 10 * n + 1. Whoever joins gets seat 0.
 */
final class FakeTable extends SessionServiceImplBase implements ServerInterceptor {
    static final String SESSION = "fake";
    static final Token TOKEN = Token.of("hush");
    static final Outcome OUTCOME =
            Outcome.newBuilder().addWinners(0).addReturns(1).addReturns(-1).build();
    private static final int DECISIONS = 6;
    private static final Context.Key<Metadata> HEADERS = Context.key("headers");

    /** An answer that somebody has given. */
    record Given(long decisionId, int actionId) {}

    // The trouble. Sets of decisions and versions lose what has happened.
    StatusRuntimeException refusal;
    final Set<Long> unseen = new HashSet<>(); // Decisions to which a submission fails before it has an effect.
    final Set<Long> unheard = new HashSet<>(); // Decisions to which a submission counts, but its reply is lost.
    final Set<Long> late = new HashSet<>(); // Decisions to which no reply comes.
    final Set<Long> overtaken = new HashSet<>(); // Decisions that somebody else answers before our submission.
    final Set<Long> lagging = new HashSet<>(); // Decisions that two updates in a row ask for.
    final Set<Long> cuts = new HashSet<>(); // Versions after which a stream breaks.
    boolean hangsUp; // Whether a stream ends well before the game does.
    int lostReplies; // So many replies to those who take something are lost.

    // What was asked.
    final List<Long> watched = new ArrayList<>(); // From which versions; -1: from a snapshot.
    final List<Given> submitted = new ArrayList<>();
    final List<String> requestIds = new ArrayList<>(); // Of those who take something.
    Metadata headers; // Of the latest call.

    final List<Update> history = new ArrayList<>();
    final Map<Long, Integer> answers = new HashMap<>();
    private final Map<Long, SubmitActionResponse> replies = new HashMap<>();
    private final List<Watcher> watchers = new ArrayList<>();

    /** Somebody who has the updates up to a version. */
    private static final class Watcher {
        final ServerCallStreamObserver<WatchSessionResponse> stream;
        long seen;

        Watcher(ServerCallStreamObserver<WatchSessionResponse> stream, long seen) {
            this.stream = stream;
            this.seen = seen;
        }
    }

    /** The catalog beside the table. */
    final CatalogServiceImplBase catalog = new CatalogServiceImplBase() {
        @Override
        public void listGames(ListGamesRequest request, StreamObserver<ListGamesResponse> reply) {
            answer(reply, () -> {
                var page = ListGamesResponse.newBuilder();
                if (request.getPageToken().isEmpty()) {
                    page.addGames(Game.newBuilder().setGame("first"));
                    page.addGames(Game.newBuilder().setGame("second")).setNextPageToken("2");
                } else {
                    page.addGames(Game.newBuilder().setGame("third"));
                }
                return page.build();
            });
        }
    };

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return Contexts.interceptCall(Context.current().withValue(HEADERS, headers), call, headers, next);
    }

    static StatusRuntimeException refuse(Status.Code code, String message, Message... details) {
        var status = com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(message);
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    static ErrorInfo info(String reason, Map<String, String> facts) {
        return ErrorInfo.newBuilder()
                .setReason(reason)
                .setDomain("tavola")
                .putAllMetadata(facts)
                .build();
    }

    int watchers() {
        synchronized (this) {
            return watchers.size();
        }
    }

    // === the calls

    @Override
    public void createSession(CreateSessionRequest request, StreamObserver<CreateSessionResponse> reply) {
        answer(reply, () -> {
            take(request.getRequestId());
            return CreateSessionResponse.newBuilder()
                    .setSessionId(SESSION)
                    .setHostToken("host")
                    .setJoinToken(request.getPrivate() ? "join" : "")
                    .build();
        });
    }

    @Override
    public void joinSession(JoinSessionRequest request, StreamObserver<JoinSessionResponse> reply) {
        answer(reply, () -> {
            take(request.getRequestId());
            return JoinSessionResponse.newBuilder()
                    .setSeat(0)
                    .setSeatToken(TOKEN.secret())
                    .build();
        });
    }

    @Override
    public void addBot(AddBotRequest request, StreamObserver<AddBotResponse> reply) {
        answer(reply, () -> {
            take(request.getRequestId());
            return AddBotResponse.newBuilder().setSeat(1).build();
        });
    }

    @Override
    public void getObservation(GetObservationRequest request, StreamObserver<GetObservationResponse> reply) {
        answer(reply, () -> {
            admit(request.getSessionId());
            Update latest = history.get(history.size() - 1);
            return GetObservationResponse.newBuilder()
                    .setVersion(latest.getVersion())
                    .setDecision(latest.getDecision())
                    .build();
        });
    }

    @Override
    public void submitAction(SubmitActionRequest request, StreamObserver<SubmitActionResponse> reply) {
        answer(reply, () -> {
            admit(request.getSessionId());
            return submit(request);
        });
    }

    @Override
    public void watchSession(WatchSessionRequest request, StreamObserver<WatchSessionResponse> reply) {
        synchronized (this) {
            try {
                admit(request.getSessionId());
            } catch (StatusRuntimeException refused) {
                reply.onError(refused);
                return;
            }
            long seen = request.hasFromVersion() ? request.getFromVersion() : history.size() - 1;
            watched.add(request.hasFromVersion() ? seen : -1);
            var watcher = new Watcher((ServerCallStreamObserver<WatchSessionResponse>) reply, seen);
            watcher.stream.setOnCancelHandler(() -> leave(watcher));
            watchers.add(watcher);
            tell(watcher);
        }
    }

    /** Answers a call. No reply: the caller waits for one until it has enough. */
    private <R> void answer(StreamObserver<R> observer, Supplier<R> call) {
        R reply;
        try {
            synchronized (this) {
                headers = HEADERS.get();
                reply = call.get();
            }
        } catch (StatusRuntimeException refused) {
            observer.onError(refused);
            return;
        }
        if (reply != null) {
            observer.onNext(reply);
            observer.onCompleted();
        }
    }

    /** Checks session and token, refuses whatever a test wants refused, and opens the game. */
    private void admit(String sessionId) {
        headers = HEADERS.get();
        if (refusal != null) {
            throw refusal;
        }
        if (!sessionId.equals(SESSION)) {
            throw refuse(Status.Code.NOT_FOUND, "no such session", info("SESSION_NOT_FOUND", Map.of()));
        }
        if (!header("authorization").equals(List.of("Bearer " + TOKEN.secret()))) {
            throw refuse(Status.Code.UNAUTHENTICATED, "needs a seat token", info("TOKEN_REQUIRED", Map.of()));
        }
        if (history.isEmpty()) {
            ask(1);
        }
    }

    /** What the latest call has sent under a name. */
    List<String> header(String name) {
        Iterable<String> values = headers.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        List<String> all = new ArrayList<>();
        if (values != null) {
            values.forEach(all::add);
        }
        return all;
    }

    private void take(String requestId) {
        requestIds.add(requestId);
        if (lostReplies > 0) {
            lostReplies--;
            throw refuse(Status.Code.UNAVAILABLE, "not stored", info("STORE_UNAVAILABLE", Map.of()));
        }
    }

    // === the game

    private SubmitActionResponse submit(SubmitActionRequest request) {
        long decisionId = request.getDecisionId();
        int actionId = request.hasAction()
                ? request.getAction().getSantorini().getMove().getTo()
                : request.getActionId();
        submitted.add(new Given(decisionId, actionId));
        if (decisionId == 0) {
            var violation = BadRequest.FieldViolation.newBuilder()
                    .setField("decision_id")
                    .setDescription("must be at least 1");
            throw refuse(
                    Status.Code.INVALID_ARGUMENT,
                    "the request is malformed",
                    info("MALFORMED_REQUEST", Map.of()),
                    BadRequest.newBuilder().addFieldViolations(violation).build());
        }
        if (unseen.remove(decisionId)) {
            throw refuse(Status.Code.UNAVAILABLE, "going down", info("SHUTTING_DOWN", Map.of()));
        }
        if (overtaken.remove(decisionId)) {
            apply(decisionId, (int) (10 * decisionId + 1));
        }
        Integer first = answers.get(decisionId);
        if (first != null && first == actionId) {
            return replies.get(decisionId);
        }
        if (first != null) {
            String current = Integer.toString(answers.size() + 1);
            var stale = info("STALE_DECISION", Map.of("decision_id", current, "seats", "0"));
            throw refuse(Status.Code.ABORTED, "the decision has passed", stale);
        }
        if (history.get(history.size() - 1).getLegalActionsList().stream()
                .noneMatch(action -> action.getActionId() == actionId)) {
            throw refuse(Status.Code.FAILED_PRECONDITION, "not legal now", info("ACTION_NOT_LEGAL", Map.of()));
        }
        apply(decisionId, actionId);
        if (unheard.remove(decisionId)) {
            throw refuse(Status.Code.UNAVAILABLE, "not stored", info("STORE_UNAVAILABLE", Map.of()));
        }
        return late.remove(decisionId) ? null : replies.get(decisionId);
    }

    /** Publishes a decision, and answers it if it is seat 1's. */
    private void ask(long decisionId) {
        if (decisionId > DECISIONS) {
            append(Update.newBuilder()
                    .setStatus(SessionStatus.SESSION_STATUS_FINISHED)
                    .setOutcome(OUTCOME));
            return;
        }
        int seat = (int) (decisionId - 1) % 2;
        for (int times = lagging.remove(decisionId) ? 2 : 1; times > 0; times--) {
            Update.Builder update = Update.newBuilder()
                    .setStatus(SessionStatus.SESSION_STATUS_RUNNING)
                    .setDecision(Decision.newBuilder().setDecisionId(decisionId).addSeats(seat));
            for (int i = 0; seat == 0 && i < 2; i++) {
                update.addLegalActions(LegalAction.newBuilder().setActionId((int) (10 * decisionId + i)));
            }
            append(update);
        }
        if (seat == 1) {
            apply(decisionId, 0);
        }
    }

    /** Lets an answer count. */
    private void apply(long decisionId, int actionId) {
        answers.put(decisionId, actionId);
        replies.put(
                decisionId,
                SubmitActionResponse.newBuilder().setVersion(history.size() + 1).build());
        ask(decisionId + 1);
    }

    private void append(Update.Builder update) {
        history.add(update.setVersion(history.size() + 1).setSeat(0).build());
        List.copyOf(watchers).forEach(this::tell);
    }

    // === the streams

    /** Sends a watcher what is new, and ends its stream if it is time. */
    private void tell(Watcher watcher) {
        while (watcher.seen < history.size() && watchers.contains(watcher)) {
            Update update = history.get((int) watcher.seen);
            watcher.stream.onNext(
                    WatchSessionResponse.newBuilder().setUpdate(update).build());
            watcher.seen++;
            if (update.hasOutcome() || hangsUp) {
                watchers.remove(watcher);
                watcher.stream.onCompleted();
            } else if (cuts.remove(watcher.seen)) {
                watchers.remove(watcher);
                var resume = info("SHUTTING_DOWN", Map.of("resume_version", Long.toString(watcher.seen)));
                watcher.stream.onError(refuse(Status.Code.UNAVAILABLE, "going down", resume));
            }
        }
    }

    /** Ends all streams, as a server does that goes down. */
    synchronized void end() {
        for (Watcher watcher : watchers) {
            watcher.stream.onError(refuse(Status.Code.UNAVAILABLE, "going down", info("SHUTTING_DOWN", Map.of())));
        }
        watchers.clear();
    }

    private void leave(Watcher watcher) {
        synchronized (this) {
            watchers.remove(watcher);
        }
    }
}
