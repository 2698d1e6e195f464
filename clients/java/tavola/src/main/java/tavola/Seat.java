package tavola;

import io.grpc.Status;
import tavola.v1.Decision;
import tavola.v1.LeaveSessionRequest;
import tavola.v1.Outcome;
import tavola.v1.Session;
import tavola.v1.SubmitActionRequest;
import tavola.v1.SubmitActionResponse;
import tavola.v1.Update;
import tavola.v1.View;

/** The right to play a seat: see {@link Client#join} and {@link Client#seat}. It sees the session as that seat. */
public final class Seat extends Viewer {
    private final int number;

    Seat(Client client, String sessionId, int number, Token token, View view) {
        super(client, sessionId, token, view);
        this.number = number;
    }

    /**
     * The number of the seat.
     *
     * @return the number, from 0
     */
    public int number() {
        return number;
    }

    @Override
    public Seat withView(View view) {
        return new Seat(client, sessionId(), number, token(), view);
    }

    /**
     * Answers a decision.
     *
     * <p>It is safe to repeat: the same answer again gets the first reply and changes nothing. If no reply comes, this
     * does so itself for as long as the client has patience.
     *
     * @param decisionId the decision, as numbered in the latest observation
     * @param answer the answer
     * @return the session right after the answer
     * @throws TavolaException if it is refused or fails
     */
    public SubmitActionResponse submit(long decisionId, Answer answer) {
        return submit(decisionId, answer, view());
    }

    /**
     * Leaves the seat. In a started game this is a resignation.
     *
     * @return the session after it
     * @throws TavolaException if it is refused or fails
     */
    public Session leave() {
        LeaveSessionRequest request =
                LeaveSessionRequest.newBuilder().setSessionId(sessionId()).build();
        return client.call(() -> token().authorize(client.sessions()).leaveSession(request))
                .getSession();
    }

    /**
     * Plays the seat to the end of the game.
     *
     * <p>It watches the session and submits what the policy answers whenever the seat owes a decision. If the decision
     * has passed meanwhile it goes on with the next. After an end of the program, it goes on where the game is.
     *
     * @param policy chooses the answers
     * @return the result
     * @throws TavolaException if an answer is refused, or the server cannot be reached any more
     */
    public Outcome play(Policy policy) {
        long answered = 0; // Decisions are numbered from 1.
        try (Updates updates = watch()) {
            for (Update update : updates) {
                if (update.hasOutcome()) {
                    return update.getOutcome();
                }
                Decision decision = update.getDecision();
                // Where several seats decide at once, updates from before our own answer counted still ask us for it.
                if (!decision.getSeatsList().contains(number) || decision.getDecisionId() == answered) {
                    continue;
                }
                answered = decision.getDecisionId();
                submitInTime(answered, policy.choose(update));
            }
        }
        throw TavolaException.of(Status.INTERNAL
                .withDescription("the stream ended without a result")
                .asRuntimeException());
    }

    private void submitInTime(long decisionId, Answer answer) {
        try {
            submit(decisionId, answer, View.VIEW_LEAN); // The stream tells what comes of it.
        } catch (TavolaException refused) {
            if (!refused.isOvertaken()) {
                throw refused;
            }
        }
    }

    private SubmitActionResponse submit(long decisionId, Answer answer, View view) {
        SubmitActionRequest.Builder request = SubmitActionRequest.newBuilder()
                .setSessionId(sessionId())
                .setDecisionId(decisionId)
                .setView(view);
        answer.into(request);
        SubmitActionRequest repeated = request.build();
        return client.callRepeatedly(() -> token().authorize(client.sessions()).submitAction(repeated));
    }
}
