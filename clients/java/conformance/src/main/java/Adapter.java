import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.annotations.SerializedName;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tavola.Answer;
import tavola.Client;
import tavola.ClientBuilder;
import tavola.Host;
import tavola.Seat;
import tavola.TavolaException;
import tavola.Token;
import tavola.Updates;
import tavola.Viewer;
import tavola.v1.Action;
import tavola.v1.AddBotRequest;
import tavola.v1.CreateSessionRequest;
import tavola.v1.Game;
import tavola.v1.GetReplayRequest;
import tavola.v1.GetReplayResponse;
import tavola.v1.JoinSessionRequest;
import tavola.v1.Options;
import tavola.v1.Update;

/** The Java client for the conformance kit: see clients/conformance/README.md. */
public final class Adapter {
    private static final Gson JSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .disableHtmlEscaping()
            .create();

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private Client client = Client.connect("localhost:50051");

    private Adapter() {}

    public static void main(String[] arguments) {
        new Adapter().run();
    }

    /** What the driver asks. What is not in the line is null; numbers of 32 bits are without sign. */
    private record Line(
            int id,
            @SerializedName("do") String command,
            String address,
            String apiKey,
            long timeoutMs,
            long patienceMs,
            String game,
            Long seats,
            String options,
            String seed,
            @SerializedName("private") boolean isPrivate,
            String requestId,
            String sessionId,
            String hostToken,
            String bot,
            Long seat,
            String token,
            String decisionId,
            long actionId,
            String action,
            String fromVersion,
            String stopAt,
            long answer) {}

    private void run() {
        try {
            for (Line asked = read(); asked != null; asked = read()) {
                try {
                    say(asked, "ok", execute(asked));
                } catch (TavolaException refused) {
                    say(asked, "error", failure(refused));
                }
            }
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        } finally {
            client.close();
        }
    }

    private Map<String, ?> execute(Line asked) throws InvalidProtocolBufferException {
        return switch (asked.command) {
            case "connect" -> connect(asked);
            case "games" ->
                Map.of("games", client.games().stream().map(Game::getGame).toList());
            case "create" -> create(asked);
            case "join" -> join(asked);
            case "add_bot" -> addBot(asked);
            case "session" -> Map.of("session", packed(viewer(asked).session()));
            case "observe" -> Map.of("observation", packed(viewer(asked).observe()));
            case "submit" -> submit(asked);
            case "watch" -> watch(asked);
            case "play" -> Map.of("outcome", packed(seat(asked).play(update -> choose(asked, update))));
            case "leave" -> Map.of("session", packed(seat(asked).leave()));
            case "replay" -> Map.of("replay", packed(replay(asked)));
            default -> throw new IllegalArgumentException("no such command: " + asked.command);
        };
    }

    private Map<String, ?> connect(Line asked) {
        client.close();
        ClientBuilder builder = Client.builder(asked.address)
                .timeout(Duration.ofMillis(asked.timeoutMs))
                .patience(Duration.ofMillis(asked.patienceMs));
        if (asked.apiKey != null) {
            builder.apiKey(asked.apiKey);
        }
        client = builder.connect();
        return Map.of();
    }

    private Map<String, ?> create(Line asked) throws InvalidProtocolBufferException {
        CreateSessionRequest.Builder request = CreateSessionRequest.newBuilder()
                .setGame(asked.game)
                .setPrivate(asked.isPrivate)
                .setRequestId(orNone(asked.requestId));
        if (asked.seats != null) {
            request.setSeats(asked.seats.intValue());
        }
        if (asked.options != null) {
            request.setOptions(Options.parseFrom(Base64.getDecoder().decode(asked.options)));
        }
        if (asked.seed != null) {
            request.setSeed(Long.parseUnsignedLong(asked.seed));
        }
        Host host = client.create(request.build());
        return Map.of(
                "session_id", host.sessionId(),
                "host_token", host.token().secret(),
                "join_token", host.joinToken().secret());
    }

    private Map<String, ?> join(Line asked) {
        JoinSessionRequest.Builder request =
                JoinSessionRequest.newBuilder().setSessionId(asked.sessionId).setRequestId(orNone(asked.requestId));
        if (asked.seat != null) {
            request.setSeat(asked.seat.intValue());
        }
        Seat seat = client.join(request.build(), token(asked));
        return Map.of("seat", seat.number(), "seat_token", seat.token().secret());
    }

    private Map<String, ?> addBot(Line asked) {
        AddBotRequest.Builder request =
                AddBotRequest.newBuilder().setBot(asked.bot).setRequestId(orNone(asked.requestId));
        if (asked.seat != null) {
            request.setSeat(asked.seat.intValue());
        }
        Host host = client.host(asked.sessionId, Token.of(asked.hostToken), Token.NONE);
        return Map.of("seat", host.addBot(request.build()));
    }

    private Map<String, ?> submit(Line asked) throws InvalidProtocolBufferException {
        Answer answer = asked.action == null
                ? Answer.byId((int) asked.actionId)
                : Answer.byMeaning(Action.parseFrom(Base64.getDecoder().decode(asked.action)));
        return Map.of("reply", packed(seat(asked).submit(Long.parseUnsignedLong(asked.decisionId), answer)));
    }

    /** Follows a session, up to a version or to the end. */
    private Map<String, ?> watch(Line asked) {
        Viewer viewer = viewer(asked);
        try (Updates updates = asked.fromVersion == null
                ? viewer.watch()
                : viewer.watchFrom(Long.parseUnsignedLong(asked.fromVersion))) {
            for (Update update : updates) {
                say(asked, "update", packed(update));
                if (asked.stopAt != null
                        && Long.compareUnsigned(update.getVersion(), Long.parseUnsignedLong(asked.stopAt)) >= 0) {
                    break;
                }
            }
        }
        return Map.of();
    }

    /** Has the driver choose the answer to a decision. */
    private Answer choose(Line asked, Update update) {
        say(asked, "asked", packed(update));
        try {
            Line answer = Objects.requireNonNull(read(), "the input has ended in mid-game");
            return Answer.byId((int) answer.answer);
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    /** Reads all pages of a replay, for which the client has no method, through the stub. */
    private GetReplayResponse replay(Line asked) {
        GetReplayRequest.Builder request = GetReplayRequest.newBuilder().setSessionId(asked.sessionId);
        GetReplayResponse.Builder whole = GetReplayResponse.newBuilder();
        do {
            GetReplayRequest next =
                    request.setPageToken(whole.getNextPageToken()).build();
            // Each page says the same of the game; its steps are appended, and the last has no token for a next one.
            whole.clearNextPageToken()
                    .mergeFrom(client.callRepeatedly(
                            () -> token(asked).authorize(client.sessions()).getReplay(next)));
        } while (!whole.getNextPageToken().isEmpty());
        return whole.build();
    }

    private Viewer viewer(Line asked) {
        return client.spectator(asked.sessionId, token(asked));
    }

    private Seat seat(Line asked) {
        int number = asked.seat == null ? 0 : asked.seat.intValue();
        return client.seat(asked.sessionId, number, token(asked));
    }

    private static Token token(Line asked) {
        return asked.token == null ? Token.NONE : Token.of(asked.token);
    }

    private static String orNone(String text) {
        return text == null ? "" : text;
    }

    private static Map<String, ?> failure(TavolaException refused) {
        List<Map<String, String>> violations = refused.violations().stream()
                .map(each -> Map.of("field", each.field(), "description", each.description()))
                .toList();
        return Map.of(
                "code", refused.code().value(),
                "reason", refused.reasonName(),
                "message", refused.getMessage(),
                "metadata", refused.metadata(),
                "violations", violations);
    }

    /** The next line. Null: the input has ended. */
    private Line read() throws IOException {
        return JSON.fromJson(input.readLine(), Line.class);
    }

    private void say(Line asked, String name, Object value) {
        output.println(JSON.toJson(Map.of("id", asked.id, name, value)));
    }

    /** A message as the protocol carries it. */
    private static String packed(MessageLite message) {
        return Base64.getEncoder().encodeToString(message.toByteArray());
    }
}
