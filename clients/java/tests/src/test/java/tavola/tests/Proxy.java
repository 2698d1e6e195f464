package tavola.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A way to a server that can be cut, or fall silent. */
final class Proxy implements AutoCloseable {
    private final int server;
    private final ServerSocket listener;
    private final List<Socket> connections = new ArrayList<>();
    private AtomicBoolean silence = new AtomicBoolean(); // Swallows what goes through the connections that share it.

    Proxy(int server) throws IOException {
        this.server = server;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        run(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                join(listener.accept());
            }
        } catch (IOException closed) {
            cut();
        }
    }

    private synchronized void join(Socket client) throws IOException {
        connections.add(client);
        Socket other;
        try {
            other = new Socket(InetAddress.getLoopbackAddress(), server);
        } catch (IOException down) {
            client.close();
            return;
        }
        connections.add(other);
        AtomicBoolean silent = silence;
        run(() -> copy(client, other, silent));
        run(() -> copy(other, client, silent));
    }

    private static void copy(Socket from, Socket to, AtomicBoolean silent) {
        byte[] buffer = new byte[4096];
        try (from;
                to) {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
                if (!silent.get()) {
                    output.write(buffer, 0, read);
                }
            }
        } catch (IOException cut) {
            // Both ends are closed, which is all there is to do.
        }
    }

    /** Breaks all connections that are open. */
    synchronized void cut() {
        for (Socket connection : connections) {
            try {
                connection.close();
            } catch (IOException wrong) {
                throw new UncheckedIOException(wrong);
            }
        }
        connections.clear();
    }

    /** Lets nothing more through the connections that are open, and keeps them so. New ones work. */
    synchronized void hush() {
        silence.set(true);
        silence = new AtomicBoolean();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
