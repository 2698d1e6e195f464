package tavola;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import tavola.v1.CatalogServiceGrpc;
import tavola.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import tavola.v1.CreateSessionRequest;
import tavola.v1.CreateSessionResponse;
import tavola.v1.Game;
import tavola.v1.GetSessionRequest;
import tavola.v1.JoinSessionRequest;
import tavola.v1.JoinSessionResponse;
import tavola.v1.ListGamesRequest;
import tavola.v1.ListGamesResponse;
import tavola.v1.Session;
import tavola.v1.SessionServiceGrpc;
import tavola.v1.SessionServiceGrpc.SessionServiceBlockingStub;
import tavola.v1.View;

/**
 * A connection to a server. It may be used by several threads at once.
 *
 * <p>It carries as many calls and streams at once as the server allows ({@code streams_per_connection_max} in
 * {@code Limits}), the others wait. Whoever plays more seats needs more clients.
 */
public final class Client implements AutoCloseable {
    private final ManagedChannel connection;
    private final Channel channel;
    private final Duration patience;

    Client(ManagedChannel connection, Channel channel, Duration patience) {
        this.connection = connection;
        this.channel = channel;
        this.patience = patience;
    }

    /**
     * Returns a client of a server. The connection is made with the first call. It uses TLS if the address begins with
     * {@code https://}.
     *
     * @param address {@code HOST:PORT}, or the URL that the server prints
     * @return the client
     * @throws IllegalArgumentException if it is no address
     */
    public static Client connect(String address) {
        return builder(address).connect();
    }

    /**
     * Begins a client of a server with TLS, an API key, or another patience.
     *
     * @param address {@code HOST:PORT}, or the URL that the server prints
     * @return what to set it up with
     * @throws IllegalArgumentException if it is no address
     */
    public static ClientBuilder builder(String address) {
        return new ClientBuilder(address);
    }

    /** Ends the connection and all that goes on over it. */
    @Override
    public void close() {
        connection.shutdownNow();
        try {
            connection.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // === the stubs

    /**
     * The channel that all calls go through, with API key and deadlines: for stubs of another kind, such as
     * {@code SessionServiceGrpc.newFutureStub(client.channel())}.
     *
     * @return the channel
     */
    public Channel channel() {
        return channel;
    }

    /**
     * The stub of {@code CatalogService}. It throws {@link StatusRuntimeException}: see {@link #call}.
     *
     * @return the stub
     */
    public CatalogServiceBlockingStub catalog() {
        return CatalogServiceGrpc.newBlockingStub(channel);
    }

    /**
     * The stub of {@code SessionService}. It throws {@link StatusRuntimeException}: see {@link #call}.
     *
     * @return the stub
     */
    public SessionServiceBlockingStub sessions() {
        return SessionServiceGrpc.newBlockingStub(channel);
    }

    /**
     * Calls a stub once: {@code client.call(() -> client.sessions().getReplay(request))}.
     *
     * @param <T> the reply
     * @param call the call
     * @return the reply
     * @throws TavolaException if it is refused or fails
     */
    public <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (StatusRuntimeException failure) {
            throw TavolaException.of(failure);
        }
    }

    /**
     * Calls a stub, again and again while the server cannot be reached, for as long as the client has patience: only
     * for what may happen twice.
     *
     * @param <T> the reply
     * @param call the call
     * @return the reply
     * @throws TavolaException if it is refused or fails for good
     */
    public <T> T callRepeatedly(Supplier<T> call) {
        Patience left = patience();
        while (true) {
            try {
                return call(call);
            } catch (TavolaException failure) {
                awaitNext(left, failure);
            }
        }
    }

    // === what everybody may call

    /**
     * Returns all games that can be played here.
     *
     * @return the games, in the order of their ids
     * @throws TavolaException if that fails
     */
    public List<Game> games() {
        List<Game> games = new ArrayList<>();
        ListGamesRequest request = ListGamesRequest.getDefaultInstance();
        while (true) {
            ListGamesRequest asked = request;
            ListGamesResponse page = callRepeatedly(() -> catalog().listGames(asked));
            games.addAll(page.getGamesList());
            if (page.getNextPageToken().isEmpty()) {
                return List.copyOf(games);
            }
            request = request.toBuilder().setPageToken(page.getNextPageToken()).build();
        }
    }

    /**
     * Opens a session of a game with all its defaults. It starts when all its seats are taken.
     *
     * @param game the id of the game, such as {@code santorini}
     * @return its host
     * @throws TavolaException if it is refused or fails
     */
    public Host create(String game) {
        return create(CreateSessionRequest.newBuilder()
                .setGame(game)
                .setRequestId(freshRequestId())
                .build());
    }

    /**
     * Opens a session. It starts when all its seats are taken. The call is repeated if it has a {@code request_id}.
     *
     * @param request what to set it up with
     * @return its host
     * @throws TavolaException if it is refused or fails
     */
    public Host create(CreateSessionRequest request) {
        CreateSessionResponse reply =
                callIdentified(request.getRequestId(), () -> sessions().createSession(request));
        return host(reply.getSessionId(), Token.of(reply.getHostToken()), Token.of(reply.getJoinToken()));
    }

    /**
     * Takes the first seat that is open.
     *
     * @param sessionId the session, one that is not private
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public Seat join(String sessionId) {
        return join(sessionId, Token.NONE);
    }

    /**
     * Takes the first seat that is open in a private session.
     *
     * @param sessionId the session
     * @param token the join token, or the host's
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public Seat join(String sessionId, Token token) {
        JoinSessionRequest request = JoinSessionRequest.newBuilder()
                .setSessionId(sessionId)
                .setRequestId(freshRequestId())
                .build();
        return join(request, token);
    }

    /**
     * Takes a seat: the one that is asked for, or the first that is open. The call is repeated if it has a
     * {@code request_id}.
     *
     * @param request what to take
     * @param token the join token or the host's if the session is private, or {@link Token#NONE}
     * @return the seat
     * @throws TavolaException if it is refused or fails
     */
    public Seat join(JoinSessionRequest request, Token token) {
        JoinSessionResponse reply = callIdentified(
                request.getRequestId(), () -> token.authorize(sessions()).joinSession(request));
        return seat(request.getSessionId(), reply.getSeat(), Token.of(reply.getSeatToken()));
    }

    /**
     * Returns a session with its seats, as it is now.
     *
     * @param sessionId the session, one that is not private
     * @return the session
     * @throws TavolaException if it is refused or fails
     */
    public Session session(String sessionId) {
        return spectator(sessionId, Token.NONE).session();
    }

    // === coming back, which calls nobody

    /**
     * Comes back to a session that was opened earlier.
     *
     * @param sessionId the session
     * @param token the host token
     * @param joinToken the join token if the session is private, or {@link Token#NONE}
     * @return its host
     */
    public Host host(String sessionId, Token token, Token joinToken) {
        return new Host(this, sessionId, token, joinToken);
    }

    /**
     * Comes back to a seat that was taken earlier.
     *
     * @param sessionId the session
     * @param number the seat, from 0
     * @param token the seat token
     * @return the seat
     */
    public Seat seat(String sessionId, int number, Token token) {
        return new Seat(this, sessionId, number, token, View.VIEW_FULL);
    }

    /**
     * Sees a session without a seat.
     *
     * @param sessionId the session, one that is not private
     * @return the spectator
     */
    public Viewer spectator(String sessionId) {
        return spectator(sessionId, Token.NONE);
    }

    /**
     * Sees a private session without a seat.
     *
     * @param sessionId the session
     * @param token the join token, or the host's
     * @return the spectator
     */
    public Viewer spectator(String sessionId, Token token) {
        return new Viewer(this, sessionId, token, View.VIEW_FULL);
    }

    // === for the others of this package

    Session session(String sessionId, Token token) {
        GetSessionRequest request =
                GetSessionRequest.newBuilder().setSessionId(sessionId).build();
        return callRepeatedly(() -> token.authorize(sessions()).getSession(request))
                .getSession();
    }

    /** Calls once, or repeatedly if the request id makes that safe. */
    <T> T callIdentified(String requestId, Supplier<T> call) {
        return requestId.isEmpty() ? call(call) : callRepeatedly(call);
    }

    static String freshRequestId() {
        return UUID.randomUUID().toString();
    }

    Patience patience() {
        return new Patience(patience);
    }

    /** Returns when it is time for the next attempt, and throws the failure if there is to be none. */
    void awaitNext(Patience patience, TavolaException failure) {
        if (connection.isShutdown() || Context.current().isCancelled()) {
            throw failure;
        }
        patience.await(failure);
        connection.resetConnectBackoff(); // Which would be two minutes when a server was down for long.
    }
}
