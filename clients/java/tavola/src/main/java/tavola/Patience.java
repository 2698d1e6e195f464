package tavola;

import io.grpc.Context;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** How long to go on trying what fails for the moment. */
final class Patience {
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 2000;

    private final Duration limit;
    private int attempts; // In the present trouble.
    private long sinceNanos; // When it began, if there was an attempt.

    Patience(Duration limit) {
        this.limit = limit;
    }

    /** For when something has worked: what fails from now on is a new trouble. */
    void restore() {
        attempts = 0;
    }

    /** How long to wait after a failure before the next attempt. None: there is to be no other. */
    Optional<Duration> pause(long nowNanos, TavolaException failure) {
        if (!failure.isTransient()) {
            return Optional.empty();
        }
        if (attempts == 0) {
            sinceNanos = nowNanos;
        }
        long longest = Math.min(FIRST_PAUSE_MS << Math.min(attempts, 10), LONGEST_PAUSE_MS);
        // Never before the server says, and not all clients at the same moment.
        long random = ThreadLocalRandom.current().nextLong(longest / 2, longest);
        Duration pause = failure.retryDelay().plusMillis(random);
        if (Duration.ofNanos(nowNanos - sinceNanos).plus(pause).compareTo(limit) > 0) {
            return Optional.empty();
        }
        attempts++;
        return Optional.of(pause);
    }

    /** Waits until the next attempt, or until the context is cancelled. Throws the failure if there is to be none. */
    void await(TavolaException failure) {
        Duration pause = pause(System.nanoTime(), failure).orElseThrow(() -> failure);
        CountDownLatch cancelled = new CountDownLatch(1);
        Context.CancellationListener listener = context -> cancelled.countDown();
        Context.current().addListener(listener, Runnable::run);
        try {
            if (cancelled.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw TavolaException.of(Status.CANCELLED
                    .withDescription("interrupted while waiting to repeat a call")
                    .withCause(failure)
                    .asRuntimeException());
        } finally {
            Context.current().removeListener(listener);
        }
    }
}
