package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import tavola.Answer;
import tavola.Client;
import tavola.Host;
import tavola.Seat;
import tavola.TavolaException;
import tavola.Token;
import tavola.Updates;
import tavola.Viewer;
import tavola.Violation;
import tavola.v1.Action;
import tavola.v1.AddBotRequest;
import tavola.v1.CreateSessionRequest;
import tavola.v1.ErrorReason;
import tavola.v1.GetGameRequest;
import tavola.v1.GetObservationResponse;
import tavola.v1.GetReplayRequest;
import tavola.v1.JoinSessionRequest;
import tavola.v1.ListGamesRequest;

/** What a real server refuses, as exceptions of the client. */
class RefusalsTest {
    private static RealServer server;
    private static Client client;
    private static Table table;

    /** A session of Santorini with two players. */
    private record Table(Host host, Seat toAct, Seat other, GetObservationResponse seen) {
        static Table open() {
            Host host = client.create(CreateSessionRequest.newBuilder()
                    .setGame("santorini")
                    .setSeed(1)
                    .build());
            List<Seat> seats = List.of(host.join(), host.join());
            int first = seats.get(0).observe().getLegalActionsCount() > 0 ? 0 : 1;
            Seat toAct = seats.get(first);
            return new Table(host, toAct, seats.get(1 - first), toAct.observe());
        }

        long decision() {
            return seen.getDecision().getDecisionId();
        }

        Answer answer(int legal) {
            return Answer.byId(seen.getLegalActions(legal).getActionId());
        }
    }

    @BeforeAll
    static void start() {
        server = RealServer.start();
        client = Client.connect(server.url());
        table = Table.open();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            client.close();
            server.close();
        }
    }

    private static TavolaException refused(Status.Code code, ErrorReason reason, Executable call) {
        var failure = assertThrows(TavolaException.class, call);
        assertEquals(reason, failure.reason(), failure::getMessage);
        assertEquals(code, failure.code());
        String name = code + " " + failure.reasonName() + ": ";
        assertTrue(
                failure.getMessage().startsWith(name) && failure.getMessage().length() > name.length(),
                failure.getMessage());
        return failure;
    }

    private static TavolaException precondition(ErrorReason reason, Executable call) {
        return refused(Status.Code.FAILED_PRECONDITION, reason, call);
    }

    private static void malformed(String field, Executable call) {
        invalid(field, ErrorReason.ERROR_REASON_MALFORMED_REQUEST, call);
    }

    private static void invalid(String field, ErrorReason reason, Executable call) {
        var failure = refused(Status.Code.INVALID_ARGUMENT, reason, call);
        assertEquals(
                List.of(field),
                failure.violations().stream().map(Violation::field).toList());
        assertFalse(failure.violations().get(0).description().isEmpty());
        assertFalse(failure.isTransient());
    }

    private static CreateSessionRequest.Builder game(String id) {
        return CreateSessionRequest.newBuilder().setGame(id);
    }

    private static JoinSessionRequest seat(String session, int seat) {
        return JoinSessionRequest.newBuilder()
                .setSessionId(session)
                .setSeat(seat)
                .build();
    }

    private static void watch(Viewer viewer) {
        try (Updates updates = viewer.watch()) {
            updates.forEach(update -> {});
        }
    }

    // === requests that are wrong

    @Test
    void noGame() {
        malformed("game", () -> client.create(""));
    }

    @Test
    void aRequestIdThatIsTooShort() {
        malformed(
                "request_id",
                () -> client.create(game("santorini").setRequestId("short").build()));
    }

    @Test
    void tooManySeats() {
        invalid(
                "seats",
                ErrorReason.ERROR_REASON_OPTIONS_NOT_LEGAL,
                () -> client.create(game("santorini").setSeats(5).build()));
    }

    @Test
    void optionsOutOfRange() {
        var request = game("santorini");
        request.getOptionsBuilder().getSantoriniBuilder().setMaxTurns(0);
        invalid(
                "options.santorini.max_turns",
                ErrorReason.ERROR_REASON_OPTIONS_NOT_LEGAL,
                () -> client.create(request.build()));
    }

    @Test
    void optionsOfAnotherGame() {
        var request = game("citadels");
        request.getOptionsBuilder().getSantoriniBuilder();
        invalid("options", ErrorReason.ERROR_REASON_OPTIONS_NOT_LEGAL, () -> client.create(request.build()));
    }

    @Test
    void aPageThatWasNeverOffered() {
        var request = ListGamesRequest.newBuilder().setPageToken("?").build();
        malformed("page_token", () -> client.call(() -> client.catalog().listGames(request)));
    }

    @Test
    void noSession() {
        malformed("session_id", () -> client.session(""));
    }

    @Test
    void aSeatThatThereIsNot() {
        Host host = client.create("santorini");
        malformed("seat", () -> host.join(2));
    }

    @Test
    void anUnknownBot() {
        Host host = client.create("santorini");
        malformed("bot", () -> host.addBot("clever"));
    }

    @Test
    void decisionZero() {
        malformed("decision_id", () -> table.toAct.submit(0, table.answer(0)));
    }

    @Test
    void anActionIdOutOfRange() {
        malformed("action_id", () -> table.toAct.submit(table.decision(), Answer.byId(1_000_000)));
    }

    @Test
    void anActionWithoutAMeaning() {
        var nothing = Answer.byMeaning(Action.getDefaultInstance());
        malformed("action.santorini", () -> table.toAct.submit(table.decision(), nothing));
    }

    // === what there is not

    @Test
    void anUnknownGame() {
        var request = GetGameRequest.newBuilder().setGame("chess").build();
        var reason = ErrorReason.ERROR_REASON_GAME_NOT_FOUND;
        refused(Status.Code.NOT_FOUND, reason, () -> client.create("chess"));
        refused(
                Status.Code.NOT_FOUND,
                reason,
                () -> client.call(() -> client.catalog().getGame(request)));
    }

    @Test
    void anUnknownSession() {
        refused(Status.Code.NOT_FOUND, ErrorReason.ERROR_REASON_SESSION_NOT_FOUND, () -> client.join("nowhere"));
    }

    @Test
    void aDeletedSession() {
        Host host = client.create("santorini");
        host.delete();
        List<Executable> calls = List.of(
                host::delete, () -> client.session(host.sessionId()), () -> watch(client.spectator(host.sessionId())));
        for (Executable call : calls) {
            refused(Status.Code.NOT_FOUND, ErrorReason.ERROR_REASON_SESSION_NOT_FOUND, call);
        }
    }

    @Test
    void aPrivateSessionForStrangers() {
        Host host = client.create(game("santorini").setPrivate(true).build());
        List<Executable> calls = List.of(
                () -> client.session(host.sessionId()),
                () -> client.join(host.sessionId()),
                () -> watch(client.spectator(host.sessionId())));
        for (Executable call : calls) {
            refused(Status.Code.NOT_FOUND, ErrorReason.ERROR_REASON_SESSION_NOT_FOUND, call);
        }
    }

    // === who may not

    @Test
    void aBotWithoutAToken() {
        Host nobody = client.host(client.create("santorini").sessionId(), Token.NONE, Token.NONE);
        refused(Status.Code.UNAUTHENTICATED, ErrorReason.ERROR_REASON_TOKEN_REQUIRED, () -> nobody.addBot("random"));
    }

    @Test
    void nobodyPlays() {
        Seat nobody = client.seat(table.toAct.sessionId(), table.toAct.number(), Token.NONE);
        refused(
                Status.Code.UNAUTHENTICATED,
                ErrorReason.ERROR_REASON_TOKEN_REQUIRED,
                () -> nobody.submit(table.decision(), table.answer(0)));
    }

    @Test
    void aForgedToken() {
        Token forged = Token.of(table.toAct.token().secret().substring(1) + "A");
        Seat forger = client.seat(table.toAct.sessionId(), table.toAct.number(), forged);
        for (Executable call : List.<Executable>of(forger::observe, () -> watch(forger))) {
            refused(Status.Code.UNAUTHENTICATED, ErrorReason.ERROR_REASON_TOKEN_REQUIRED, call);
        }
    }

    @Test
    void aPlayerDeletes() {
        Host thief = client.host(table.host.sessionId(), table.toAct.token(), Token.NONE);
        refused(Status.Code.PERMISSION_DENIED, ErrorReason.ERROR_REASON_SEAT_MISMATCH, thief::delete);
    }

    @Test
    void theHostPlays() {
        Seat owner = client.seat(table.toAct.sessionId(), table.toAct.number(), table.host.token());
        refused(
                Status.Code.PERMISSION_DENIED,
                ErrorReason.ERROR_REASON_SEAT_MISMATCH,
                () -> owner.submit(table.decision(), table.answer(0)));
    }

    // === what comes at the wrong time

    @Test
    void allSeatsAreTaken() {
        precondition(ErrorReason.ERROR_REASON_SESSION_FULL, table.host::join);
    }

    @Test
    void aSeatThatIsTaken() {
        Host host = client.create("santorini");
        int taken = host.join().number();
        precondition(ErrorReason.ERROR_REASON_SEAT_TAKEN, () -> client.join(seat(host.sessionId(), taken), Token.NONE));
    }

    @Test
    void aRequestIdForAnotherRequest() {
        Host host = client.create("santorini");
        var bot = AddBotRequest.newBuilder().setRequestId("0123456789abcdef");
        host.addBot(bot.setBot("random").build());
        precondition(
                ErrorReason.ERROR_REASON_REQUEST_ID_REUSED,
                () -> host.addBot(bot.setBot("greedy").build()));
    }

    @Test
    void anActionThatIsNotLegal() {
        precondition(
                ErrorReason.ERROR_REASON_ACTION_NOT_LEGAL,
                () -> table.toAct.submit(table.decision(), Answer.byId(499)));
    }

    @Test
    void aSeatThatIsNotAsked() {
        precondition(ErrorReason.ERROR_REASON_NOT_TO_ACT, () -> table.other.submit(table.decision(), table.answer(0)));
    }

    @Test
    void anotherAnswerToTheSameDecision() {
        Table passed = Table.open();
        passed.toAct.submit(passed.decision(), passed.answer(0));
        var failure = refused(
                Status.Code.ABORTED,
                ErrorReason.ERROR_REASON_STALE_DECISION,
                () -> passed.toAct.submit(passed.decision(), passed.answer(1)));
        assertTrue(failure.metadata().keySet().containsAll(List.of("decision_id", "seats")));
    }

    @Test
    void aGameThatHasNotBegun() {
        Seat early = client.create("santorini").join();
        precondition(ErrorReason.ERROR_REASON_SESSION_NOT_STARTED, () -> early.submit(1, Answer.byId(0)));
    }

    @Test
    void aGameThatIsOver() {
        Table over = Table.open();
        over.other.leave();
        precondition(ErrorReason.ERROR_REASON_GAME_OVER, () -> over.toAct.submit(over.decision(), over.answer(0)));
    }

    @Test
    void theReplayOfAGameThatGoesOn() {
        var request = GetReplayRequest.newBuilder()
                .setSessionId(table.host.sessionId())
                .build();
        precondition(
                ErrorReason.ERROR_REASON_SESSION_NOT_FINISHED,
                () -> client.call(() -> client.sessions().getReplay(request)));
    }

    // === what is too much

    @Test
    void aServerThatIsFull() {
        try (RealServer small = RealServer.start("--sessions-max", "1");
                Client visitor = Client.connect(small.url())) {
            visitor.create("santorini");
            var failure = refused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    ErrorReason.ERROR_REASON_LIMIT_REACHED,
                    () -> visitor.create(game("santorini").build()));
            assertEquals("1", failure.metadata().get("max"));
            assertTrue(failure.isTransient() && !failure.retryDelay().isZero());
        }
    }
}
