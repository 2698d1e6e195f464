package tavola;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * The right to host a session, to join it, or to play a seat. It does not show when it is printed or logged; to keep it,
 * take its {@link #secret}.
 */
public final class Token {
    /** No token: nothing is sent. */
    public static final Token NONE = new Token("");

    private final String secret;

    private Token(String secret) {
        this.secret = Objects.requireNonNull(secret, "secret");
    }

    /**
     * Takes up a token that was kept.
     *
     * @param secret the token; empty: none
     * @return the token
     */
    public static Token of(String secret) {
        return new Token(secret);
    }

    /**
     * The token itself.
     *
     * @return the token, empty if there is none
     */
    public String secret() {
        return secret;
    }

    /**
     * Returns a stub that sends this token with its calls, in place of any other.
     *
     * @param <S> the stub's class
     * @param stub a stub, such as {@link Client#sessions}
     * @return the same stub with the token
     */
    public <S extends AbstractStub<S>> S authorize(S stub) {
        return secret.isEmpty() ? stub : stub.withCallCredentials(new Credentials(secret));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Token token && token.secret.equals(secret);
    }

    @Override
    public int hashCode() {
        return secret.hashCode();
    }

    /** Says that there is a token, or none, and not which. */
    @Override
    public String toString() {
        return secret.isEmpty() ? "(none)" : "(secret)";
    }

    private static final class Credentials extends CallCredentials {
        private static final Metadata.Key<String> NAME =
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

        private final String secret;

        Credentials(String secret) {
            this.secret = secret;
        }

        @Override
        public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier headers) {
            Metadata ours = new Metadata();
            ours.put(NAME, "Bearer " + secret);
            headers.apply(ours);
        }
    }
}
