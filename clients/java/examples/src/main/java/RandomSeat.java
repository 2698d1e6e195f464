import java.util.concurrent.ThreadLocalRandom;
import tavola.Answer;
import tavola.Client;
import tavola.Seat;
import tavola.v1.Outcome;
import tavola.v1.Update;
import tavola.v1.View;

/** Takes a seat of a session, plays it at random to the end and prints the result: {@code RandomSeat ADDRESS SESSION_ID}. */
public final class RandomSeat {
    private RandomSeat() {}

    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("usage: RandomSeat ADDRESS SESSION_ID");
        }
        try (Client client = Client.connect(arguments[0])) {
            Seat me = client.join(arguments[1]).withView(View.VIEW_LEAN);
            Outcome outcome = me.play(RandomSeat::choose);
            System.out.printf(
                    "seat %d: winners %s, returns %s%n",
                    me.number(), outcome.getWinnersList(), outcome.getReturnsList());
        }
    }

    private static Answer choose(Update update) {
        int chosen = ThreadLocalRandom.current().nextInt(update.getLegalActionIdsCount());
        return Answer.byId(update.getLegalActionIds(chosen));
    }
}
