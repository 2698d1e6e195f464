package tavola;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A server of this process with a {@link FakeTable}, and the clients of a test. */
final class FakeServer implements AutoCloseable {
    final FakeTable table = new FakeTable();
    private final List<Client> clients = new ArrayList<>();
    private Server server;
    private int port; // 0: a free one.

    FakeServer() {
        start();
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Starts it again at its address and with its table. */
    void restart() {
        start();
    }

    private void start() {
        try {
            server = Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
                    .addService(table)
                    .addService(table.catalog)
                    .intercept(table)
                    .build()
                    .start();
            port = server.getPort();
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    /** Ends all streams and connections. */
    void stop() {
        table.end();
        try {
            server.shutdownNow().awaitTermination();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** A client that is closed with the server. */
    Client client(Function<ClientBuilder, ClientBuilder> settings) {
        ClientBuilder builder = Client.builder(address()).patience(Duration.ofSeconds(5));
        Client client = settings.apply(builder).connect();
        clients.add(client);
        return client;
    }

    Client client() {
        return client(settings -> settings);
    }

    Seat seat(Function<ClientBuilder, ClientBuilder> settings) {
        return client(settings).seat(FakeTable.SESSION, 0, FakeTable.TOKEN);
    }

    Seat seat() {
        return seat(settings -> settings);
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
        stop();
    }
}
