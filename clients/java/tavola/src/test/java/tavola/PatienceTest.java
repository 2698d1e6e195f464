package tavola;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.RetryInfo;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatienceTest {
    private static final TavolaException UNAVAILABLE = TavolaException.of(Status.UNAVAILABLE.asException());

    private static TavolaException refused(Status.Code code, String reason) {
        return TavolaException.of(FakeTable.refuse(code, "no", FakeTable.info(reason, Map.of())));
    }

    @Test
    void pausesGrowAndEnd() {
        Patience patience = new Patience(Duration.ofSeconds(10));
        long began = -5; // The clock of System.nanoTime may stand anywhere.
        long now = began;
        for (long longest : new long[] {100, 200, 400, 800, 1600, 2000, 2000}) {
            Duration pause = patience.pause(now, UNAVAILABLE).orElseThrow();
            assertTrue(pause.toMillis() >= longest / 2 && pause.toMillis() < longest, pause::toString);
            now += pause.toNanos();
        }
        long end = began + Duration.ofSeconds(10).toNanos();
        assertTrue(patience.pause(end, UNAVAILABLE).isEmpty(), "goes on for ever");
        patience.restore();
        assertTrue(patience.pause(end, UNAVAILABLE).orElseThrow().toMillis() < 100, "is not restored");
    }

    @Test
    void theServerMayAskForALongerPause() {
        Patience patience = new Patience(Duration.ofSeconds(10));
        for (int seconds : new int[] {3, 11}) {
            var retry = RetryInfo.newBuilder()
                    .setRetryDelay(com.google.protobuf.Duration.newBuilder().setSeconds(seconds))
                    .build();
            var busy = TavolaException.of(FakeTable.refuse(Status.Code.RESOURCE_EXHAUSTED, "busy", retry));
            var pause = patience.pause(0, busy);
            assertEquals(seconds == 3, pause.isPresent(), "waits for longer than it has patience");
            pause.ifPresent(time -> assertTrue(time.toSeconds() >= seconds, time::toString));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, STORE_UNAVAILABLE, true",
        "UNAVAILABLE, SHUTTING_DOWN, true",
        "UNAVAILABLE, '', true",
        "DEADLINE_EXCEEDED, CALL_TIMED_OUT, true",
        "DEADLINE_EXCEEDED, '', true",
        "CANCELLED, '', false",
        "ABORTED, STALE_DECISION, false",
        "RESOURCE_EXHAUSTED, LIMIT_REACHED, false",
        "INTERNAL, INTERNAL, false",
        "UNKNOWN, '', false",
    })
    void whatIsRepeated(Status.Code code, String reason, boolean again) {
        Patience patience = new Patience(Duration.ofMinutes(1));
        assertEquals(again, patience.pause(0, refused(code, reason)).isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "ABORTED, STALE_DECISION, true",
        "ABORTED, OUT_OF_TIME, true",
        "FAILED_PRECONDITION, GAME_OVER, true",
        "ABORTED, '', false",
        "FAILED_PRECONDITION, ACTION_NOT_LEGAL, false",
    })
    void overtaken(Status.Code code, String reason, boolean overtaken) {
        assertEquals(overtaken, refused(code, reason).isOvertaken());
    }
}
