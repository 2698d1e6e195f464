package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tavola.Answer;
import tavola.Client;
import tavola.Host;
import tavola.Seat;
import tavola.v1.LegalAction;
import tavola.v1.Outcome;
import tavola.v1.Session;
import tavola.v1.SessionStatus;
import tavola.v1.Update;

/** What several tests do with games. */
final class Games {
    private Games() {}

    /** Answers with any legal action, in either view. */
    static Answer atRandom(Update update) {
        Stream<Integer> full = update.getLegalActionsList().stream().map(LegalAction::getActionId);
        List<Integer> ids =
                Stream.concat(full, update.getLegalActionIdsList().stream()).toList();
        return Answer.byId(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
    }

    /** A seat in a game of Santorini against a house bot. */
    static Seat againstABot(Client client) {
        Host host = client.create("santorini");
        Seat seat = host.join();
        assertEquals(1, host.addBot("random"));
        return seat;
    }

    /** Checks that a result is what the finished session says of itself. */
    static void check(Outcome outcome, Session session) {
        assertEquals(SessionStatus.SESSION_STATUS_FINISHED, session.getStatus());
        assertEquals(session.getOutcome(), outcome);
        assertEquals(session.getSeatsCount(), outcome.getReturnsCount());
    }

    /** Plays a session with a bot of ours on each seat. */
    static void playAll(Host host) {
        List<Seat> seats = IntStream.range(0, host.session().getSeatsCount())
                .mapToObj(number -> host.join())
                .toList();
        List<Outcome> outcomes = Tasks.together(seats, seat -> seat.play(Games::atRandom));
        outcomes.forEach(outcome -> check(outcome, host.session()));
    }
}
