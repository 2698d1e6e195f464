import java.util.concurrent.ThreadLocalRandom;
import tavola.Answer;
import tavola.Client;
import tavola.Host;
import tavola.Seat;
import tavola.v1.Outcome;
import tavola.v1.Update;

/** Plays a whole game at random against house bots and prints the result: {@code RandomBot [ADDRESS [GAME [BOT]]]}. */
public final class RandomBot {
    private RandomBot() {}

    public static void main(String[] arguments) {
        String address = arguments.length > 0 ? arguments[0] : "localhost:50051";
        String game = arguments.length > 1 ? arguments[1] : "santorini";
        String bot = arguments.length > 2 ? arguments[2] : "random";

        try (Client client = Client.connect(address)) {
            Host host = client.create(game);
            Seat me = host.join();
            for (int others = host.session().getSeatsCount() - 1; others > 0; others--) {
                host.addBot(bot);
            }
            Outcome outcome = me.play(RandomBot::choose);
            System.out.printf(
                    "%s as seat %d: winners %s, returns %s%n",
                    game, me.number(), outcome.getWinnersList(), outcome.getReturnsList());
        }
    }

    private static Answer choose(Update update) {
        int chosen = ThreadLocalRandom.current().nextInt(update.getLegalActionsCount());
        return Answer.byId(update.getLegalActions(chosen).getActionId());
    }
}
