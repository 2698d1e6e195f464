import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tavola.Client;
import tavola.tests.Commands;
import tavola.tests.RealServer;
import tavola.v1.Outcome;
import tavola.v1.SessionStatus;

class ExamplesTest {
    private static RealServer server;
    private static Client client;

    @BeforeAll
    static void start() {
        server = RealServer.start();
        client = Client.connect(server.url());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            client.close();
            server.close();
        }
    }

    @Test
    void theRandomBotIsShort() throws IOException {
        Path source = Path.of("../examples/src/main/java/RandomBot.java");
        assertTrue(Files.readAllLines(source).size() < 40);
    }

    @Test
    void theRandomBotPlays() {
        String printed = Commands.example("RandomBot", server.address(), "shadow_hunters", "greedy");
        assertTrue(printed.startsWith("shadow_hunters as seat 0: winners ["), printed);
    }

    @Test
    void seatsOfATableOfPrograms() {
        var host = client.create("santorini");
        List<CompletableFuture<String>> seats = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> Commands.example("RandomSeat", server.url(), host.sessionId())))
                .limit(2)
                .toList();
        List<String> lines =
                seats.stream().map(CompletableFuture::join).sorted().toList();
        for (int seat = 0; seat < 2; seat++) {
            assertTrue(lines.get(seat).startsWith("seat " + seat + ": winners ["), lines::toString);
        }
        assertEquals(SessionStatus.SESSION_STATUS_FINISHED, host.session().getStatus());
    }

    /** With gods, as they come. Who plays by chance wins half of the games, and so many in one of a thousand runs. */
    @Test
    void theThinkingBotBeatsChance() {
        int won = 0;
        for (int games = 0; games < 40; games++) {
            won += ThinkingBot.play(client, "santorini", "random")
                            .getWinnersList()
                            .contains(0)
                    ? 1
                    : 0;
        }
        assertTrue(won >= 31, "won " + won + " of 40 games");
    }

    @Test
    void theThinkingBotPlaysEveryGame() {
        for (var game : client.games()) {
            Outcome outcome = ThinkingBot.play(client, game.getGame(), "random");
            assertTrue(outcome.getReturnsCount() > 0, game.getGame());
        }
    }
}
