package tavola;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** How to connect to a server: see {@link Client#builder}. */
public final class ClientBuilder {
    private static final Metadata.Key<String> API_KEY = Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

    private final Address address;
    private ChannelCredentials credentials;
    private String apiKey = "";
    private Duration timeout = Duration.ofSeconds(20);
    private Duration patience = Duration.ofMinutes(1);

    ClientBuilder(String address) {
        this.address = Address.parse(address);
        credentials = this.address.secure() ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    }

    /**
     * Uses TLS, and trusts whom the roots of the Java runtime trust.
     *
     * @return this
     */
    public ClientBuilder tls() {
        return tls(TlsChannelCredentials.create());
    }

    /**
     * Uses TLS with a root of one's own, or with a certificate of the client.
     *
     * @param credentials such as {@code TlsChannelCredentials.newBuilder().trustManager(roots).build()}
     * @return this
     */
    public ClientBuilder tls(ChannelCredentials credentials) {
        this.credentials = Objects.requireNonNull(credentials, "credentials");
        return this;
    }

    /**
     * Sends an API key of the server with every call, as the metadata {@code x-api-key}.
     *
     * @param key the key
     * @return this
     */
    public ClientBuilder apiKey(String key) {
        apiKey = Objects.requireNonNull(key, "key");
        return this;
    }

    /**
     * Ends each attempt of a call after this time, if its stub has no deadline of its own: 20 s unless it is given.
     * Streams have no end of their own.
     *
     * @param timeout the time; zero: never
     * @return this
     */
    public ClientBuilder timeout(Duration timeout) {
        this.timeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Says for how long that is tried again which is safe to repeat, while the server cannot be reached: a minute unless
     * it is given.
     *
     * @param limit the time; zero: it is not tried again
     * @return this
     */
    public ClientBuilder patience(Duration limit) {
        patience = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /**
     * Returns the client. The connection is made with the first call.
     *
     * @return the client
     */
    public Client connect() {
        ManagedChannelBuilder<?> channel = Grpc.newChannelBuilder(address.target(), credentials);
        // A stream on a dead connection ends within 40 s rather than never.
        channel.keepAliveTime(30, TimeUnit.SECONDS).keepAliveTimeout(10, TimeUnit.SECONDS);
        ManagedChannel connection = channel.build();
        List<ClientInterceptor> interceptors = new ArrayList<>();
        if (!apiKey.isEmpty()) {
            Metadata headers = new Metadata();
            headers.put(API_KEY, apiKey);
            interceptors.add(MetadataUtils.newAttachHeadersInterceptor(headers));
        }
        if (!timeout.isZero()) {
            interceptors.add(new Deadline(timeout));
        }
        return new Client(connection, ClientInterceptors.intercept(connection, interceptors), patience);
    }
}
