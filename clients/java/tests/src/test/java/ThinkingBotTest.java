import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tavola.santorini.v1.Action;
import tavola.santorini.v1.Observation;
import tavola.santorini.v1.Piece;
import tavola.v1.LegalAction;
import tavola.v1.Update;

class ThinkingBotTest {
    /** A table without gods: workers 0 and 1 are seat 0's, 2 and 3 seat 1's. */
    private static Observation table(Map<Integer, Integer> levels, int... workers) {
        var table = Observation.newBuilder();
        for (int space = 0; space < 25; space++) {
            table.getBoardBuilder().addLevels(levels.getOrDefault(space, 0));
        }
        for (int worker = 0; worker < workers.length; worker++) {
            table.addWorkersBuilder().setWorker(worker).setSeat(worker / 2).setSpace(workers[worker]);
        }
        for (int seat = 0; seat < 2; seat++) {
            table.addPlayersBuilder().setSeat(seat).setSide(seat);
        }
        return table.build();
    }

    private static Action move(int worker, int to) {
        var action = Action.newBuilder();
        action.getMoveBuilder().setWorker(worker).setTo(to);
        return action.build();
    }

    private static Action build(int space, Piece piece) {
        var action = Action.newBuilder();
        action.getBuildBuilder().setWorker(0).setSpace(space).setPiece(piece);
        return action.build();
    }

    /** Checks that seat 0 prefers the first action, wherever it stands in the list. */
    private static void check(Observation table, Action... actions) {
        List<LegalAction> legal = new ArrayList<>();
        for (Action action : actions) {
            var each = LegalAction.newBuilder().setActionId(legal.size());
            each.getActionBuilder().setSantorini(action);
            legal.add(each.build());
        }
        for (int turns = 0; turns < legal.size(); turns++) {
            Collections.rotate(legal, 1);
            var update = Update.newBuilder().setSeat(0).addAllLegalActions(legal);
            update.getObservationBuilder().setSantorini(table);
            assertEquals(tavola.Answer.byId(0), ThinkingBot.think(update.build()));
        }
    }

    @Test
    void itClimbsToWin() {
        check(table(Map.of(0, 2, 1, 3, 5, 2, 6, 2), 0, 24, 20, 4), move(0, 1), move(0, 5), move(0, 6), move(1, 23));
    }

    @Test
    void itClimbsRatherThanStays() {
        check(table(Map.of(6, 1), 0, 24, 20, 4), move(0, 6), move(0, 5), move(0, 1));
    }

    @Test
    void itBlocksATowerThatTheOtherWouldClimb() {
        check(
                table(Map.of(12, 3, 13, 2, 7, 2), 11, 24, 13, 4),
                build(12, Piece.PIECE_DOME),
                build(10, Piece.PIECE_BLOCK),
                build(6, Piece.PIECE_BLOCK),
                build(16, Piece.PIECE_BLOCK));
    }

    @Test
    void itBuildsNoStepToVictoryForTheOther() {
        check(table(Map.of(12, 2, 13, 2), 11, 24, 13, 4), build(10, Piece.PIECE_BLOCK), build(12, Piece.PIECE_BLOCK));
    }
}
