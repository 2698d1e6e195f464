package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs that tests run. */
public final class Commands {
    private Commands() {}

    /** Runs a command in a folder and returns what it prints, with the error output. It has to end well. */
    public static String run(Path folder, String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes());
            assertEquals(0, process.waitFor(), () -> String.join(" ", command) + "\n" + printed);
            return printed;
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Runs an example as a program of its own. */
    public static String example(String name, String... arguments) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command =
                new ArrayList<>(List.of(java.toString(), "-cp", System.getProperty("java.class.path"), name));
        command.addAll(List.of(arguments));
        return run(Path.of("").toAbsolutePath(), command.toArray(String[]::new));
    }
}
