package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of README.md, and the bot that it shows. */
class ReadmeTest {
    private static final Path HERE = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    /** The first block of a language. */
    private static String section(String language) throws IOException {
        String[] parts = Files.readString(HERE.resolve("README.md")).split("```" + language + "\n", 2);
        assertEquals(2, parts.length, "README.md has no block of " + language);
        return parts[1].split("```", 2)[0];
    }

    private String run(String command) {
        return Commands.run(folder, "sh", "-c", command);
    }

    /** From an empty folder to a finished game. The first command is what has built this. */
    @Test
    void fromAnEmptyFolderToAFinishedGame() throws IOException {
        try (RealServer server = RealServer.start()) {
            List<String> commands = section("sh")
                    .replace("../tavola/clients/java", HERE.toString())
                    .lines()
                    .map(line -> line.replaceAll("#.*", "").strip())
                    .toList();
            assertEquals(3, commands.size());
            assertEquals("mvn -q -f " + HERE + " install -Dmaven.test.skip", commands.get(0));
            run(commands.get(1));
            String address = " -Dexec.args=" + server.address();
            String printed = run(commands.get(2) + address);
            assertTrue(printed.contains("santorini as seat 0: winners "), printed);

            String bot = section("java").replace("localhost:50051", server.address());
            Files.writeString(folder.resolve("src/main/java/Bot.java"), bot);
            printed = run(commands.get(2) + " -Dexec.mainClass=Bot");
            assertTrue(printed.contains("won") || printed.contains("lost"), printed);
        }
    }
}
