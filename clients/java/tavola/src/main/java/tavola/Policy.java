package tavola;

import tavola.v1.Update;

/** Chooses the answer to a decision: what a bot is. */
@FunctionalInterface
public interface Policy {
    /**
     * Chooses the answer to the decision of an update. What it throws ends the play.
     *
     * @param update what the seat knows, the open decision, and what may be answered
     * @return the answer
     */
    Answer choose(Update update);
}
