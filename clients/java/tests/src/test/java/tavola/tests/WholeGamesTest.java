package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tavola.Client;
import tavola.Host;
import tavola.Seat;
import tavola.v1.CreateSessionRequest;
import tavola.v1.Game;
import tavola.v1.View;

class WholeGamesTest {
    static final List<String> GAMES =
            List.of("citadels", "council_of_shadows", "santorini", "shadow_hunters", "under_falling_skies");

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
    void theseAreTheGames() {
        List<String> ids = client.games().stream().map(Game::getGame).toList();
        assertTrue(ids.containsAll(GAMES), ids::toString);
    }

    /** Bots against each other with the fewest and with many seats, and against each house bot in both views. */
    @ParameterizedTest
    @FieldSource("GAMES")
    void wholeGames(String id) {
        Game game = client.games().stream()
                .filter(each -> each.getGame().equals(id))
                .findFirst()
                .orElseThrow();
        int most = Math.min(game.getSeatsMax(), 7); // Eight players of Citadels would need an option.
        IntStream.of(game.getSeatsMin(), most).distinct().forEach(seats -> {
            var request = CreateSessionRequest.newBuilder().setGame(id).setSeats(seats);
            Games.playAll(client.create(request.build()));
        });
        for (View view : List.of(View.VIEW_FULL, View.VIEW_LEAN)) {
            for (String bot : game.getBotsList()) {
                Host host = client.create(id);
                Seat seat = host.join(0);
                for (int other = 1; other < host.session().getSeatsCount(); other++) {
                    host.addBot(bot, other);
                }
                Games.check(seat.withView(view).play(Games::atRandom), host.session());
            }
        }
    }
}
