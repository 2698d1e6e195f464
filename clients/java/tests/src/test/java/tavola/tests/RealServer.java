package tavola.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A server process of a test: the binary that the variable TAVOLA_SERVER_BINARY names. */
public final class RealServer implements AutoCloseable {
    private static final String VARIABLE = "TAVOLA_SERVER_BINARY";
    private static final String READY = "listening on ";

    private final Process process;
    private final Path folder;
    private final String url;

    private RealServer(Process process, Path folder, String url) {
        this.process = process;
        this.folder = folder;
        this.url = url;
    }

    /**
     * Starts a server with these flags: on a free port and with its sessions in memory, if they do not say otherwise.
     * Without a binary it skips the test or, where the variable CI is set, fails it.
     */
    public static RealServer start(String... flags) {
        List<String> command = new ArrayList<>(List.of(binary()));
        command.addAll(List.of(flags));
        try {
            Path folder = Files.createTempDirectory("tavola-tests");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().removeIf(name -> name.startsWith("TAVOLA_"));
            builder.environment().put("TAVOLA_LISTEN", "127.0.0.1:0");
            builder.environment().put("TAVOLA_STORE", "memory");
            builder.environment().put("TAVOLA_LOG", "error");
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            BufferedReader output = process.inputReader();
            String line = output.readLine();
            if (line == null || !line.startsWith(READY)) {
                process.destroyForcibly();
                throw new IllegalStateException("the server says \"" + line + "\" rather than where it listens");
            }
            return new RealServer(process, folder, line.substring(READY.length()));
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    private static String binary() {
        String binary = System.getenv(VARIABLE);
        if (binary == null) {
            String reason = "needs " + VARIABLE + ", the path of a server's binary";
            Assumptions.assumeTrue(System.getenv("CI") != null, reason);
            Assertions.fail(reason);
        }
        return Path.of("").toAbsolutePath().resolve(binary).toString();
    }

    /** Where it listens, as it prints it: a URL. */
    public String url() {
        return url;
    }

    /** Where it listens: HOST:PORT. */
    public String address() {
        return url.substring(url.indexOf("//") + 2);
    }

    /** The port that it listens on. */
    public int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** Kills it without a warning. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end, and waits until it has. */
    public void terminate() throws InterruptedException {
        process.destroy();
        Assertions.assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the server does not end");
        Assertions.assertEquals(0, process.exitValue());
    }

    @Override
    public void close() {
        kill();
        try {
            Files.delete(folder);
        } catch (IOException wrong) {
            throw new UncheckedIOException("the server leaves something behind", wrong);
        }
    }
}
