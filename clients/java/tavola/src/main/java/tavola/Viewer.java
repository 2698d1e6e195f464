package tavola;

import tavola.v1.GetObservationRequest;
import tavola.v1.GetObservationResponse;
import tavola.v1.Session;
import tavola.v1.View;

/** Sees a session: as a spectator, see {@link Client#spectator}, or as a {@link Seat}. */
public sealed class Viewer permits Seat {
    final Client client;
    private final String sessionId;
    private final Token token;
    private final View view;

    Viewer(Client client, String sessionId, Token token, View view) {
        this.client = client;
        this.sessionId = sessionId;
        this.token = token;
        this.view = view;
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
     * The token: a seat's own.
     *
     * @return the token; {@link Token#NONE} if there is none
     */
    public Token token() {
        return token;
    }

    /**
     * How legal actions are shown.
     *
     * @return the view
     */
    public View view() {
        return view;
    }

    /**
     * Returns the same viewer with another view.
     *
     * @param view how legal actions are to be shown
     * @return the viewer
     */
    public Viewer withView(View view) {
        return new Viewer(client, sessionId, token, view);
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
     * Returns what the viewer knows now and, of a seat, what it may answer.
     *
     * @return the observation
     * @throws TavolaException if it is refused or fails
     */
    public GetObservationResponse observe() {
        GetObservationRequest request = GetObservationRequest.newBuilder()
                .setSessionId(sessionId)
                .setView(view)
                .build();
        return client.callRepeatedly(() -> token.authorize(client.sessions()).getObservation(request));
    }

    /**
     * Returns the updates of the session up to its result, beginning with a snapshot.
     *
     * @return the updates, to be closed
     */
    public Updates watch() {
        return new Updates(this, null);
    }

    /**
     * Returns the updates of the session for somebody who has those up to a version: it begins with the one after it.
     *
     * @param version the version of the last update that is known
     * @return the updates, to be closed
     */
    public Updates watchFrom(long version) {
        return new Updates(this, version);
    }
}
