package tavola;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Help;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tavola.v1.ErrorReason;

class TavolaExceptionTest {
    private final FakeServer fake = new FakeServer();

    @AfterEach
    void close() {
        fake.close();
    }

    /** What a call that is refused with these details throws. */
    private TavolaException refusal(Status.Code code, Message... details) {
        fake.table.refusal = FakeTable.refuse(code, "enough", details);
        Seat seat = fake.seat(settings -> settings.patience(java.time.Duration.ZERO));
        var failure = assertThrows(TavolaException.class, seat::observe);
        assertEquals(code, failure.code());
        assertTrue(failure.getMessage().endsWith(": enough"), failure.getMessage());
        return failure;
    }

    @Test
    void aViolationNamesTheField() {
        var failure = assertThrows(TavolaException.class, () -> fake.seat().submit(0, Answer.byId(1)));
        assertEquals(Status.Code.INVALID_ARGUMENT, failure.code());
        assertEquals(ErrorReason.ERROR_REASON_MALFORMED_REQUEST, failure.reason());
        assertEquals(List.of(new Violation("decision_id", "must be at least 1")), failure.violations());
        assertEquals("INVALID_ARGUMENT MALFORMED_REQUEST: the request is malformed", failure.getMessage());
        assertFalse(failure.isTransient());
    }

    @Test
    void aStaleDecisionTellsTheCurrentOne() {
        Seat seat = fake.seat();
        long first = seat.submit(1, Answer.byId(10)).getVersion();
        assertEquals(first, seat.submit(1, Answer.byId(10)).getVersion());
        var failure = assertThrows(TavolaException.class, () -> seat.submit(1, Answer.byId(11)));
        assertEquals(ErrorReason.ERROR_REASON_STALE_DECISION, failure.reason());
        assertEquals(Map.of("decision_id", "3", "seats", "0"), failure.metadata());
    }

    @Test
    void aStreamIsRefusedLikeACall() {
        Client client = fake.client();
        try (Updates updates = client.seat("another", 0, FakeTable.TOKEN).watch()) {
            var failure =
                    assertThrows(TavolaException.class, () -> updates.iterator().next());
            assertEquals(Status.Code.NOT_FOUND, failure.code());
            assertEquals(ErrorReason.ERROR_REASON_SESSION_NOT_FOUND, failure.reason());
        }
        try (Updates updates = client.spectator(FakeTable.SESSION).watch()) {
            var failure =
                    assertThrows(TavolaException.class, () -> updates.iterator().next());
            assertEquals(ErrorReason.ERROR_REASON_TOKEN_REQUIRED, failure.reason());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNRECOGNIZED", "ERROR_REASON_UNSPECIFIED"})
    void everyReasonOfTheContract(ErrorReason reason) {
        String name = reason.name().substring("ERROR_REASON_".length());
        var failure = refusal(Status.Code.FAILED_PRECONDITION, FakeTable.info(name, Map.of()));
        assertEquals(reason, failure.reason());
        assertEquals(name, failure.reasonName());
    }

    @Test
    void aReasonThatThisPackageDoesNotKnow() {
        var failure = refusal(Status.Code.RESOURCE_EXHAUSTED, FakeTable.info("TABLE_ON_FIRE", Map.of("since", "noon")));
        assertEquals(ErrorReason.UNRECOGNIZED, failure.reason());
        assertEquals("TABLE_ON_FIRE", failure.reasonName());
        assertEquals(Map.of("since", "noon"), failure.metadata());
    }

    @Test
    void theDetailsOfOthersAreNotOurs() {
        ErrorInfo other = FakeTable.info("STALE_DECISION", Map.of("a", "b")).toBuilder()
                .setDomain("proxy.example")
                .build();
        var failure = refusal(Status.Code.ABORTED, Help.getDefaultInstance(), other);
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failure.reason());
        assertEquals("", failure.reasonName());
        assertEquals(Map.of(), failure.metadata());
        assertEquals(List.of(), failure.violations());
        assertFalse(failure.isOvertaken());
        assertEquals(2, StatusProto.fromThrowable(failure).getDetailsCount());
    }

    @Test
    void detailsThatCannotBeRead() {
        Any broken = Any.pack(ErrorInfo.getDefaultInstance()).toBuilder()
                .setValue(ByteString.copyFromUtf8("no message"))
                .build();
        var sent = com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.ABORTED.value())
                .addDetails(broken)
                .build();
        var failure = TavolaException.of(StatusProto.toStatusRuntimeException(sent));
        assertEquals(Status.Code.ABORTED, failure.code());
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failure.reason());
    }

    @Test
    void aTrailerThatCannotBeRead() {
        theTrailerIsIgnored("no status".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTrailerOfAnotherCode() {
        var other = com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.NOT_FOUND.value())
                .addDetails(Any.pack(FakeTable.info("SESSION_NOT_FOUND", Map.of())));
        theTrailerIsIgnored(other.build().toByteArray());
    }

    private static void theTrailerIsIgnored(byte[] trailer) {
        var trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER), trailer);
        var failure =
                TavolaException.of(Status.ABORTED.withDescription("enough").asRuntimeException(trailers));
        assertEquals(Status.Code.ABORTED, failure.code());
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failure.reason());
        assertEquals("ABORTED: enough", failure.getMessage());
    }

    @Test
    void aDelayMakesAnErrorTransient() {
        var retry = RetryInfo.newBuilder()
                .setRetryDelay(Duration.newBuilder().setSeconds(1).setNanos(500_000_000))
                .build();
        var info = FakeTable.info("LIMIT_REACHED", Map.of());
        var failure = refusal(Status.Code.RESOURCE_EXHAUSTED, info, retry);
        assertEquals(java.time.Duration.ofMillis(1500), failure.retryDelay());
        assertTrue(failure.isTransient());
        assertFalse(refusal(Status.Code.RESOURCE_EXHAUSTED, info).isTransient());
    }

    @Test
    void aConnectionThatIsClosedIsUnavailable() {
        var closed = Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());
        assertEquals(
                Status.Code.UNAVAILABLE,
                TavolaException.of(closed.asRuntimeException()).code());
        var bug = Status.UNKNOWN.withCause(new IllegalStateException());
        assertEquals(
                Status.Code.UNKNOWN,
                TavolaException.of(bug.asRuntimeException()).code());
    }

    @Test
    void noServer() {
        try (Client client =
                Client.builder("127.0.0.1:1").patience(java.time.Duration.ZERO).connect()) {
            var failure = assertThrows(TavolaException.class, client::games);
            assertEquals(Status.Code.UNAVAILABLE, failure.code());
            assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failure.reason());
            assertTrue(failure.isTransient());
        }
    }
}
