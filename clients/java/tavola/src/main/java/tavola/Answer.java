package tavola;

import java.util.Objects;
import tavola.v1.Action;
import tavola.v1.SubmitActionRequest;

/** An answer to a decision: by the number of a legal action, or by meaning. */
public sealed interface Answer {
    /**
     * Answers with the action of this number.
     *
     * @param actionId the {@code action_id} of a legal action
     * @return the answer
     */
    static Answer byId(int actionId) {
        return new ById(actionId);
    }

    /**
     * Answers with an action.
     *
     * @param action the action
     * @return the answer
     */
    static Answer byMeaning(Action action) {
        return new ByMeaning(Objects.requireNonNull(action, "action"));
    }

    /**
     * Writes the answer into a request.
     *
     * @param request the request
     */
    void into(SubmitActionRequest.Builder request);

    /**
     * An answer by number.
     *
     * @param actionId the {@code action_id} of a legal action
     */
    record ById(int actionId) implements Answer {
        @Override
        public void into(SubmitActionRequest.Builder request) {
            request.setActionId(actionId);
        }
    }

    /**
     * An answer by meaning.
     *
     * @param action the action
     */
    record ByMeaning(Action action) implements Answer {
        @Override
        public void into(SubmitActionRequest.Builder request) {
            request.setAction(action);
        }
    }
}
