package tavola;

import tavola.v1.AddBotRequest;
import tavola.v1.DeleteSessionRequest;
import tavola.v1.JoinSessionRequest;
import tavola.v1.Session;

/** The right to set up a session: see {@link Client#create} and {@link Client#host}. */
public final class Host {
    private final Client client;
    private final String sessionId;
    private final Token token;
    private final Token joinToken;

    Host(Client client, String sessionId, Token token, Token joinToken) {
        this.client = client;
        this.sessionId = sessionId;
        this.token = token;
        this.joinToken = joinToken;
    }

    /**
     * The session.
     *
     * @return its id
     */
    public String sessionId() {
        return sessionId;
    }

    /**
     * The host token.
     *
     * @return the token
     */
    public Token token() {
        return token;
    }

    /**
     * What joining and watching a private session need: for whoever may come.
     *
     * @return the token; {@link Token#NONE} unless the session is private
     */
    public Token joinToken() {
        return joinToken;
    }

    /**
     * Returns the session with its seats, as it is now.
     *
     * @return the session
     * @throws TavolaException if it is refused or fails
     */
    public Session session() {
        return client.session(sessionId, token);
    }

    /**
     * Takes the first seat that is open.
     *
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public Seat join() {
        return client.join(sessionId, token);
    }

    /**
     * Takes a seat.
     *
     * @param seat the seat, from 0
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public Seat join(int seat) {
        JoinSessionRequest request = JoinSessionRequest.newBuilder()
                .setSessionId(sessionId)
                .setSeat(seat)
                .setRequestId(Client.freshRequestId())
                .build();
        return client.join(request, token);
    }

    /**
     * Gives the first seat that is open to a house bot.
     *
     * @param bot the bot, one of the game's, such as {@code greedy}
     * @return the seat, from 0
     * @throws TavolaException if it is refused or fails
     */
    public int addBot(String bot) {
        return addBot(AddBotRequest.newBuilder()
                .setBot(bot)
                .setRequestId(Client.freshRequestId())
                .build());
    }

    /**
     * Gives a seat to a house bot.
     *
     * @param bot the bot, one of the game's, such as {@code greedy}
     * @param seat the seat, from 0
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public int addBot(String bot, int seat) {
        return addBot(AddBotRequest.newBuilder()
                .setBot(bot)
                .setSeat(seat)
                .setRequestId(Client.freshRequestId())
                .build());
    }

    /**
     * Gives a seat to a house bot: the one that is asked for, or the first that is open. The session of the request is
     * this one. The call is repeated if it has a {@code request_id}.
     *
     * @param request which bot, and where
     * @return the seat, from 0
     * @throws TavolaException if it is refused or fails
     */
    public int addBot(AddBotRequest request) {
        AddBotRequest ours = request.toBuilder().setSessionId(sessionId).build();
        return client.callIdentified(
                        ours.getRequestId(),
                        () -> token.authorize(client.sessions()).addBot(ours))
                .getSeat();
    }

    /**
     * Ends and forgets the session.
     *
     * @throws TavolaException if it is refused or fails
     */
    public void delete() {
        DeleteSessionRequest request =
                DeleteSessionRequest.newBuilder().setSessionId(sessionId).build();
        client.call(() -> token.authorize(client.sessions()).deleteSession(request));
    }
}
