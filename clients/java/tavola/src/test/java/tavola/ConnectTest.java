package tavola;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tavola.v1.AddBotRequest;
import tavola.v1.CreateSessionRequest;
import tavola.v1.ErrorReason;
import tavola.v1.Game;
import tavola.v1.GetObservationRequest;
import tavola.v1.JoinSessionRequest;
import tavola.v1.SessionServiceGrpc;

class ConnectTest {
    private final FakeServer fake = new FakeServer();

    @AfterEach
    void close() {
        fake.close();
    }

    private static List<String> ids(Client client) {
        return client.games().stream().map(Game::getGame).toList();
    }

    @Test
    void allPagesOfTheCatalog() {
        assertEquals(List.of("first", "second", "third"), ids(fake.client()));
    }

    @ParameterizedTest
    @CsvSource({"http://%s", "http://%s/", "%s"})
    void theUrlThatTheServerPrintsIsAnAddress(String form) {
        try (Client client = Client.connect(form.formatted(fake.address()))) {
            assertEquals(3, ids(client).size());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://tavola.example, dns:///tavola.example:443, true",
        "https://tavola.example:8443/, dns:///tavola.example:8443, true",
        "http://tavola.example, dns:///tavola.example:80, false",
        "table_1:50051, dns:///table_1:50051, false",
        "[::1]:50051, dns:///[::1]:50051, false",
    })
    void whereAServerIs(String address, String target, boolean secure) {
        assertEquals(new Address(target, secure), Address.parse(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                ":50051",
                "localhost:",
                "localhost:fifty",
                "localhost:50051/",
                "ftp://localhost:50051",
                "http://localhost:50051/v1",
                "http://me@localhost:50051",
                "http://localhost:50051?game=santorini",
                "http://:50051",
                "http://local host",
            })
    void whatIsNoAddressIsRefused(String address) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Client.connect(address));
        assertEquals(
                "address \"" + address + "\": must be HOST:PORT, http://HOST:PORT or https://HOST:PORT",
                refused.getMessage());
    }

    @Test
    void anApiKeyGoesWithEveryCall() {
        Client client = fake.client(settings -> settings.apiKey("our key"));
        ids(client);
        assertEquals(List.of("our key"), fake.table.header("x-api-key"));
        try (Updates updates =
                client.seat(FakeTable.SESSION, 0, FakeTable.TOKEN).watch()) {
            updates.iterator().next();
        }
        assertEquals(List.of("our key"), fake.table.header("x-api-key"));
        ids(fake.client());
        assertEquals(List.of(), fake.table.header("x-api-key"));
    }

    @Test
    void aCallHasADeadline() {
        fake.table.late.add(1L);
        Seat seat =
                fake.seat(settings -> settings.timeout(Duration.ofMillis(300)).patience(Duration.ZERO));
        var failure = assertThrows(TavolaException.class, () -> seat.submit(1, Answer.byId(10)));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, failure.code());
        assertTrue(failure.isTransient());
    }

    @Test
    void aTokenDoesNotShow() {
        Seat seat = fake.client().join(FakeTable.SESSION);
        assertEquals(FakeTable.TOKEN, seat.token());
        assertEquals("hush", seat.token().secret());
        assertEquals("(secret)", seat.token().toString());
        assertEquals("(none)", Token.NONE.toString());
        for (Object each : List.of(seat, fake.client().host("fake", FakeTable.TOKEN, Token.NONE))) {
            assertFalse(each.toString().contains("hush"));
        }
    }

    @Test
    void aTokenTakesThePlaceOfAnother() {
        Client client = fake.client();
        var request = GetObservationRequest.newBuilder().setSessionId(FakeTable.SESSION);
        var twice = FakeTable.TOKEN.authorize(Token.of("another").authorize(client.sessions()));
        assertEquals(1, twice.getObservation(request.build()).getDecision().getDecisionId());
    }

    @Test
    void stubsOfAnotherKind() throws InterruptedException {
        var stub = FakeTable.TOKEN.authorize(
                SessionServiceGrpc.newFutureStub(fake.client().channel()));
        var request = GetObservationRequest.newBuilder().setSessionId("another").build();
        var failure = assertThrows(
                ExecutionException.class, () -> stub.getObservation(request).get());
        assertEquals(
                ErrorReason.ERROR_REASON_SESSION_NOT_FOUND,
                TavolaException.of(failure).reason());
    }

    @Test
    void aPrivateSessionHasAJoinToken() {
        Client client = fake.client();
        var request = CreateSessionRequest.newBuilder().setGame("first");
        Host host = client.create(request.setPrivate(true).build());
        assertEquals(Token.of("join"), host.joinToken());
        client.join(FakeTable.SESSION, host.joinToken());
        assertEquals(List.of("Bearer join"), fake.table.header("authorization"));
        host.join(0);
        assertEquals(List.of("Bearer host"), fake.table.header("authorization"));
        assertEquals(
                Token.NONE, client.create(request.setPrivate(false).build()).joinToken());
        client.join(FakeTable.SESSION);
        assertEquals(List.of(), fake.table.header("authorization"));
    }

    @Test
    void whatTakesSomethingIsRepeatedWithTheSameId() {
        Client client = fake.client();
        Host host = client.host(FakeTable.SESSION, Token.of("host"), Token.NONE);
        List<Runnable> calls = List.of(
                () -> client.create("first"),
                () -> client.join(FakeTable.SESSION),
                host::join,
                () -> host.join(0),
                () -> host.addBot("random"),
                () -> host.addBot("random", 1));
        for (Runnable call : calls) {
            fake.table.requestIds.clear();
            fake.table.lostReplies = 2;
            call.run();
            List<String> ids = fake.table.requestIds;
            assertEquals(3, ids.size());
            assertEquals(1, ids.stream().distinct().count(), ids::toString);
            assertTrue(ids.get(0).length() >= 16, ids::toString);
        }
        assertEquals(1, host.addBot("random"));
        assertEquals(2, fake.table.requestIds.stream().distinct().count(), "each call has an id of its own");
    }

    @Test
    void whatTakesSomethingIsNotRepeatedWithoutAnId() {
        Client client = fake.client();
        Host host = client.host(FakeTable.SESSION, Token.of("host"), Token.NONE);
        List<Runnable> calls = List.of(
                () -> client.create(CreateSessionRequest.getDefaultInstance()),
                () -> client.join(JoinSessionRequest.getDefaultInstance(), Token.NONE),
                () -> host.addBot(AddBotRequest.getDefaultInstance()));
        for (Runnable call : calls) {
            fake.table.requestIds.clear();
            fake.table.lostReplies = 1;
            var failure = assertThrows(TavolaException.class, call::run);
            assertEquals(ErrorReason.ERROR_REASON_STORE_UNAVAILABLE, failure.reason());
            assertEquals(List.of(""), fake.table.requestIds);
        }
    }
}
