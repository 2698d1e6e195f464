package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tavola.Client;
import tavola.Seat;
import tavola.Updates;
import tavola.Viewer;
import tavola.v1.Outcome;

class BrokenConnectionTest {
    private static List<Long> versions(Viewer viewer, long from) {
        List<Long> versions = new ArrayList<>();
        try (Updates updates = viewer.watchFrom(from)) {
            updates.forEach(update -> versions.add(update.getVersion()));
        }
        return versions;
    }

    /** Nobody misses an update, and no answer counts twice. */
    @Test
    void aStreamIsCutAndResumed() throws IOException {
        // Whoever watches is to see every version, however far behind while the connection comes back.
        try (RealServer server = RealServer.start("--watcher-lag-max=4096");
                Proxy proxy = new Proxy(server.port());
                Client direct = Client.connect(server.url());
                Client client = Client.connect(proxy.address())) {
            Seat seat = Games.againstABot(client);
            var watcher = CompletableFuture.supplyAsync(() -> versions(client.spectator(seat.sessionId()), 1));
            var asked = new AtomicInteger();
            Outcome outcome = seat.play(update -> {
                if (asked.incrementAndGet() % 5 == 0) {
                    proxy.cut();
                }
                return Games.atRandom(update);
            });
            assertTrue(asked.get() >= 5, "the game was too short to be cut");
            Games.check(outcome, direct.session(seat.sessionId()));

            List<Long> whole = versions(direct.spectator(seat.sessionId()), 1);
            assertEquals(whole, watcher.join());
            long last = whole.get(whole.size() - 1);
            assertEquals(List.of(), versions(direct.spectator(seat.sessionId()), last));
        }
    }

    /** Plays on after a connection has died without a word, which only pings can notice. */
    @Test
    void aSilentConnectionIsGivenUp() throws IOException {
        try (RealServer server = RealServer.start();
                Proxy proxy = new Proxy(server.port());
                Client client = Client.builder(proxy.address())
                        .timeout(Duration.ofSeconds(2))
                        .connect()) {
            Seat seat = Games.againstABot(client);
            var asked = new AtomicInteger();
            Outcome outcome = seat.play(update -> {
                if (asked.incrementAndGet() == 3) {
                    proxy.hush();
                }
                return Games.atRandom(update);
            });
            Games.check(outcome, client.session(seat.sessionId()));
        }
    }
}
