import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;
import tavola.Answer;
import tavola.Client;
import tavola.Host;
import tavola.Seat;
import tavola.v1.Action;
import tavola.v1.LegalAction;
import tavola.v1.Outcome;
import tavola.v1.Update;

/**
 * Plays a whole game against house bots and prints the result: {@code ThinkingBot [ADDRESS [GAME [BOT]]]}. In Santorini it
 * looks one action ahead; any other game it plays at random.
 */
public final class ThinkingBot {
    private ThinkingBot() {}

    public static void main(String[] arguments) {
        String address = arguments.length > 0 ? arguments[0] : "localhost:50051";
        String game = arguments.length > 1 ? arguments[1] : "santorini";
        String bot = arguments.length > 2 ? arguments[2] : "random";
        try (Client client = Client.connect(address)) {
            Outcome outcome = play(client, game, bot);
            System.out.printf(
                    "%s as seat 0: winners %s, returns %s%n", game, outcome.getWinnersList(), outcome.getReturnsList());
        }
    }

    /** Plays a game on seat 0, with a house bot on all other seats. */
    static Outcome play(Client client, String game, String bot) {
        Host host = client.create(game);
        Seat me = host.join(0);
        for (int seat = 1; seat < host.session().getSeatsCount(); seat++) {
            host.addBot(bot, seat);
        }
        return me.play(ThinkingBot::think);
    }

    /** Answers with the action that leads to the best table, by chance among equals. */
    static Answer think(Update update) {
        ToIntFunction<Action> value = action -> 0;
        if (update.getObservation().hasSantorini()) {
            var table = update.getObservation().getSantorini();
            value = action -> Position.after(table, action.getSantorini()).value(update.getSeat());
        }
        return Answer.byId(best(update.getLegalActionsList(), value).getActionId());
    }

    private static LegalAction best(List<LegalAction> actions, ToIntFunction<Action> value) {
        LegalAction chosen = actions.get(0);
        int highest = Integer.MIN_VALUE;
        int equals = 0;
        for (LegalAction action : actions) {
            int worth = value.applyAsInt(action.getAction());
            if (worth > highest) {
                highest = worth;
                equals = 0;
            }
            if (worth == highest && ThreadLocalRandom.current().nextInt(++equals) == 0) {
                chosen = action;
            }
        }
        return chosen;
    }
}
