import com.google.gson.Gson;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import tavola.Answer;
import tavola.Client;
import tavola.Seat;
import tavola.v1.Outcome;
import tavola.v1.Update;

/**
 * Takes a seat of a session, plays it at random and prints the result: {@code Player ADDRESS SESSION_ID}. The conformance
 * kit seats it beside those of other languages.
 */
public final class Player {
    private Player() {}

    public static void main(String[] arguments) {
        try (Client client = Client.connect(arguments[0])) {
            Seat seat = client.join(arguments[1]);
            Outcome outcome = seat.play(Player::choose);
            Map<String, ?> result = Map.of(
                    "seat", seat.number(),
                    "winners", outcome.getWinnersList(),
                    "returns", outcome.getReturnsList());
            System.out.println(new Gson().toJson(result));
        }
    }

    private static Answer choose(Update update) {
        int chosen = ThreadLocalRandom.current().nextInt(update.getLegalActionsCount());
        return Answer.byId(update.getLegalActions(chosen).getActionId());
    }
}
