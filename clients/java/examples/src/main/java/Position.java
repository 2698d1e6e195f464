import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tavola.santorini.v1.Action;
import tavola.santorini.v1.Observation;
import tavola.santorini.v1.Piece;
import tavola.santorini.v1.Worker;

/** The table of Santorini as {@link ThinkingBot} thinks of it. */
final class Position {
    private static final int WIDTH = 5;
    private static final int TOP = 3; // The level on which a worker that moves up to it wins.
    private static final int DOME = 4; // The level of a closed space, as this bot counts.

    private final Observation table;
    private final int[] levels = new int[WIDTH * WIDTH];
    private final Map<Integer, Integer> workers = new HashMap<>(); // Where each one stands that is on the board.
    private boolean won;

    private Position(Observation table) {
        this.table = table;
        for (int space = 0; space < levels.length; space++) {
            levels[space] = table.getBoard().getLevels(space);
        }
        for (int space : table.getBoard().getDomesList()) {
            levels[space] = DOME;
        }
        for (Worker worker : table.getWorkersList()) {
            if (worker.hasSpace()) {
                workers.put(worker.getWorker(), worker.getSpace());
            }
        }
    }

    /** The position after an action, as far as workers and towers go: it does not know what gods do. */
    static Position after(Observation table, Action action) {
        Position position = new Position(table);
        switch (action.getKindCase()) {
            case PLACE_WORKER ->
                position.workers.put(
                        action.getPlaceWorker().getWorker(),
                        action.getPlaceWorker().getSpace());
            case MOVE ->
                position.move(action.getMove().getWorker(), action.getMove().getTo());
            case BUILD ->
                position.build(action.getBuild().getSpace(), action.getBuild().getPiece());
            case PRE_BUILD ->
                position.build(
                        action.getPreBuild().getSpace(), action.getPreBuild().getPiece());
            default -> {} // A choice of another kind, which changes no space.
        }
        return position;
    }

    private void move(int worker, int to) {
        int from = workers.put(worker, to);
        won = levels[to] == TOP && levels[from] < TOP;
    }

    private void build(int space, Piece piece) {
        levels[space] = piece == Piece.PIECE_DOME ? DOME : levels[space] + 1;
    }

    /**
     * How good the position is for a seat: to win is best, to let another side win next is worst, and between these it is
     * good to stand high and to have higher places to go to.
     */
    int value(int seat) {
        if (won) {
            return 1000;
        }
        int sum = 0;
        for (Worker worker : table.getWorkersList()) {
            Integer space = workers.get(worker.getWorker());
            if (space != null) {
                boolean ours = side(worker.getSeat()) == side(seat);
                sum += ours ? worth(space) : -worth(space) - threat(space);
            }
        }
        return sum;
    }

    private int worth(int space) {
        int worth = 10 * levels[space];
        for (int next : neighbors(space)) {
            if (levels[next] <= levels[space] + 1 && levels[next] < DOME) {
                worth += 1 + levels[next];
            }
        }
        return worth;
    }

    /** What it is worth to somebody that a worker on a space can win with its next step. */
    private int threat(int space) {
        int threat = 0;
        for (int next : neighbors(space)) {
            if (levels[space] == TOP - 1 && levels[next] == TOP && !workers.containsValue(next)) {
                threat += 300;
            }
        }
        return threat;
    }

    private int side(int seat) {
        return table.getPlayers(seat).getSide();
    }

    private static List<Integer> neighbors(int space) {
        List<Integer> neighbors = new ArrayList<>();
        for (int next = 0; next < WIDTH * WIDTH; next++) {
            int columns = Math.abs(next % WIDTH - space % WIDTH);
            int rows = Math.abs(next / WIDTH - space / WIDTH);
            if (Math.max(columns, rows) == 1) {
                neighbors.add(next);
            }
        }
        return neighbors;
    }
}
