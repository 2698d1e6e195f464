package tavola.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tavola.Client;
import tavola.ClientBuilder;
import tavola.Host;
import tavola.Seat;
import tavola.TavolaException;
import tavola.Updates;
import tavola.v1.CreateSessionRequest;
import tavola.v1.ErrorReason;

/** TLS, API keys and private sessions of a real server. */
class SecretsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path folder;

    private Path write(String name, String kind, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }

    /** Makes certificate.pem of 127.0.0.1 with key.pem. */
    private void certify() throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=server",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        assertEquals(0, new ProcessBuilder(command).start().waitFor());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            keys.load(content, PASSWORD);
        }
        write("key.pem", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        write("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    @Test
    void tlsAndAnApiKey() throws IOException, InterruptedException, GeneralSecurityException {
        certify();
        Path certificate = folder.resolve("certificate.pem");
        String key = "0123456789abcdef0123456789abcdef";
        Path keys = Files.writeString(folder.resolve("keys"), "us = " + key + "\n");
        var trust = TlsChannelCredentials.newBuilder()
                .trustManager(certificate.toFile())
                .build();
        try (RealServer server = RealServer.start(
                "--tls-cert", certificate.toString(),
                "--tls-key", folder.resolve("key.pem").toString(),
                "--api-keys-file", keys.toString())) {
            assertEquals("https://" + server.address(), server.url());
            try (Client client =
                            Client.builder(server.url()).tls(trust).apiKey(key).connect();
                    Client keyless = Client.builder(server.address()).tls(trust).connect()) {
                Seat seat = Games.againstABot(client);
                Games.check(seat.play(Games::atRandom), keyless.session(seat.sessionId()));
                var refused = assertThrows(TavolaException.class, () -> keyless.create("santorini"));
                assertEquals(ErrorReason.ERROR_REASON_API_KEY_REQUIRED, refused.reason());
            }
            checkUnreachable(server.url(), builder -> builder); // Who trusts others,
            checkUnreachable(server.address(), ClientBuilder::tls); // also when asked for TLS by name,
            checkUnreachable(server.address(), builder -> builder); // and who speaks plainly.
        }
    }

    private static void checkUnreachable(String address, UnaryOperator<ClientBuilder> settings) {
        try (Client client =
                settings.apply(Client.builder(address).patience(Duration.ZERO)).connect()) {
            var failure = assertThrows(TavolaException.class, client::games);
            assertEquals("", failure.reasonName(), "no table has said this");
        }
    }

    @Test
    void aPrivateSession() {
        try (RealServer server = RealServer.start();
                Client client = Client.connect(server.url())) {
            Host host = client.create(CreateSessionRequest.newBuilder()
                    .setGame("santorini")
                    .setPrivate(true)
                    .build());
            Seat guest = client.join(host.sessionId(), host.joinToken());
            try (Updates updates =
                    client.spectator(host.sessionId(), host.joinToken()).watch()) {
                assertEquals(host.session(), updates.iterator().next().getSession());
            }
            host.addBot("greedy");
            Games.check(guest.play(Games::atRandom), guest.session());
        }
    }
}
