package tavola;

import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import tavola.v1.Update;
import tavola.v1.WatchSessionRequest;
import tavola.v1.WatchSessionResponse;

/**
 * The updates of a session, as they come: see {@link Viewer#watch}. To be gone through once, by one thread; any thread may
 * close it.
 *
 * <p>If the stream is cut off it is resumed where it was, for as long as the client has patience; after that, the iterator
 * throws a {@link TavolaException}.
 *
 * <pre>{@code
 * try (Updates updates = seat.watch()) {
 *     for (Update update : updates) {
 *         System.out.println(update.getVersion());
 *     }
 * }
 * }</pre>
 */
public final class Updates implements Iterable<Update>, AutoCloseable {
    private final Viewer viewer;
    private final CancellableContext context = Context.current().withCancellation();
    private final Patience patience;
    private Long have; // The version of the last update that came. None: a stream begins with a snapshot.
    private Iterator<WatchSessionResponse> stream; // None: it has to be opened.
    private boolean taken;
    private volatile boolean closed;

    Updates(Viewer viewer, Long have) {
        this.viewer = viewer;
        this.have = have;
        patience = viewer.client.patience();
    }

    /** Closes the stream. Whoever waits for an update learns that there is none. */
    @Override
    public void close() {
        closed = true;
        context.cancel(null);
    }

    /**
     * The iterator over the updates. There is only one.
     *
     * @throws IllegalStateException if it has been taken before
     */
    @Override
    public Iterator<Update> iterator() {
        if (taken) {
            throw new IllegalStateException("updates can be gone through once");
        }
        taken = true;
        return new Iterator<>() {
            private Update next;

            @Override
            public boolean hasNext() {
                if (next == null) {
                    next = read();
                }
                return next != null;
            }

            @Override
            public Update next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Update update = next;
                next = null;
                return update;
            }
        };
    }

    /** Waits for the next update, through all streams that it takes. None: it was the last, or we are closed. */
    private Update read() {
        Context outer = context.attach(); // For the calls to end when it does.
        try {
            while (!closed) {
                try {
                    return readStream();
                } catch (StatusRuntimeException failure) {
                    stream = null;
                    awaitStream(TavolaException.of(failure));
                }
            }
            return null;
        } finally {
            context.detach(outer);
        }
    }

    private Update readStream() {
        if (stream == null) {
            stream = open();
        }
        if (!stream.hasNext()) {
            close();
            return null;
        }
        Update update = stream.next().getUpdate();
        patience.restore();
        have = update.getVersion();
        return update;
    }

    private Iterator<WatchSessionResponse> open() {
        WatchSessionRequest.Builder request = WatchSessionRequest.newBuilder()
                .setSessionId(viewer.sessionId())
                .setView(viewer.view());
        if (have != null) {
            request.setFromVersion(have);
        }
        return viewer.token().authorize(viewer.client.sessions()).watchSession(request.build());
    }

    private void awaitStream(TavolaException failure) {
        try {
            viewer.client.awaitNext(patience, failure);
        } catch (TavolaException end) {
            if (!closed) {
                close();
                throw end;
            }
        }
    }
}
