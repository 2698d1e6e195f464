package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tavola.Client;
import tavola.Seat;
import tavola.TavolaException;
import tavola.Updates;
import tavola.v1.ErrorReason;
import tavola.v1.Outcome;

class RestartTest {
    @TempDir
    private Path data;

    private RealServer server;

    /** Nothing that the server has acknowledged is lost when it is killed, and the bot plays on. */
    @Test
    void theServerRestartsInMidGame() {
        String[] keep = {"--store", "sqlite", "--data", data.toString()};
        server = RealServer.start(keep);
        String address = server.address();
        List<Long> asked = new ArrayList<>();
        try (Client client = Client.connect(address)) {
            Seat seat = Games.againstABot(client);
            Outcome outcome = seat.play(update -> {
                asked.add(update.getDecision().getDecisionId());
                if (asked.size() == 3 || asked.size() == 6) {
                    server.close();
                    server = RealServer.start(Stream.concat(Stream.of("--listen", address), Stream.of(keep))
                            .toArray(String[]::new));
                }
                return Games.atRandom(update);
            });
            assertTrue(asked.size() >= 6, asked::toString);
            assertEquals(asked.stream().distinct().sorted().toList(), asked);
            Games.check(outcome, client.session(seat.sessionId()));
        } finally {
            server.close();
        }
    }

    @Test
    void aServerThatGoesDownSaysSo() throws InterruptedException {
        try (RealServer stopping = RealServer.start();
                Client client =
                        Client.builder(stopping.url()).patience(Duration.ZERO).connect();
                Updates updates = Games.againstABot(client).watch()) {
            var iterator = updates.iterator();
            iterator.next();
            stopping.terminate();
            try {
                iterator.forEachRemaining(update -> {});
                throw new AssertionError("the stream has ended without an error");
            } catch (TavolaException failure) {
                assertEquals(ErrorReason.ERROR_REASON_SHUTTING_DOWN, failure.reason());
                assertTrue(failure.metadata().containsKey("resume_version"), failure.metadata()::toString);
            }
        }
    }
}
