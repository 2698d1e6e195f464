package tavola;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tavola.FakeTable.Given;
import tavola.v1.Action;
import tavola.v1.ErrorReason;
import tavola.v1.Update;

class PlayTest {
    private final FakeServer fake = new FakeServer();
    private final List<Long> asked = new ArrayList<>();

    @AfterEach
    void close() {
        fake.close();
    }

    /** Takes the first legal action and notes what it was asked. */
    private Answer firstLegal(Update update) {
        asked.add(update.getDecision().getDecisionId());
        return Answer.byId(update.getLegalActions(0).getActionId());
    }

    private static List<Given> given(int... actions) {
        List<Given> given = new ArrayList<>();
        for (int action : actions) {
            given.add(new Given(action / 10, action));
        }
        return given;
    }

    static Stream<Arguments> trouble() {
        return Stream.of(
                trouble("no trouble", table -> {}, given(10, 30, 50), List.of(-1L), 30),
                trouble(
                        "a stream that breaks is resumed where it was",
                        table -> table.cuts.addAll(Set.of(1L, 4L)),
                        given(10, 30, 50),
                        List.of(-1L, 1L, 4L),
                        30),
                trouble(
                        "an answer that never arrived is given again",
                        table -> table.unseen.add(3L),
                        given(10, 30, 30, 50),
                        List.of(-1L),
                        30),
                trouble(
                        "an answer whose reply is lost is given again and counts once",
                        table -> table.unheard.addAll(Set.of(1L, 5L)),
                        given(10, 10, 30, 50, 50),
                        List.of(-1L),
                        30),
                trouble(
                        "an answer whose reply is late is given again and counts once",
                        table -> table.late.add(3L),
                        given(10, 30, 30, 50),
                        List.of(-1L),
                        30),
                trouble(
                        "a decision that has passed is left alone",
                        table -> table.overtaken.add(3L),
                        given(10, 30, 50),
                        List.of(-1L),
                        31),
                trouble(
                        "a decision that is asked for again is answered once",
                        table -> table.lagging.addAll(Set.of(3L, 5L)),
                        given(10, 30, 50),
                        List.of(-1L),
                        30));
    }

    private static Arguments trouble(
            String name, Consumer<FakeTable> make, List<Given> submitted, List<Long> watched, int third) {
        return Arguments.of(name, make, submitted, watched, third);
    }

    /** All the trouble that a network and other players can make. Each decision is asked once, whatever happens. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("trouble")
    void play(String name, Consumer<FakeTable> make, List<Given> submitted, List<Long> watched, int third) {
        make.accept(fake.table);
        Seat seat = fake.seat(settings -> settings.timeout(Duration.ofSeconds(2)));
        assertEquals(FakeTable.OUTCOME, seat.play(this::firstLegal));
        assertEquals(List.of(1L, 3L, 5L), asked);
        assertEquals(submitted, fake.table.submitted);
        assertEquals(watched, fake.table.watched);
        assertEquals(10, fake.table.answers.get(1L));
        assertEquals(third, fake.table.answers.get(3L));
        assertEquals(50, fake.table.answers.get(5L));
    }

    @Test
    void playByMeaning() {
        fake.seat().play(update -> {
            var action = Action.newBuilder();
            action.getSantoriniBuilder()
                    .getMoveBuilder()
                    .setWorker(0)
                    .setTo(update.getLegalActions(1).getActionId());
            return Answer.byMeaning(action.build());
        });
        assertEquals(given(11, 31, 51), fake.table.submitted);
    }

    @Test
    void anIllegalActionIsTheBotsFault() {
        var failure = assertThrows(TavolaException.class, () -> fake.seat().play(update -> Answer.byId(99)));
        assertEquals(ErrorReason.ERROR_REASON_ACTION_NOT_LEGAL, failure.reason());
        assertEquals(List.of(new Given(1, 99)), fake.table.submitted);
    }

    @Test
    void whatAPolicyThrowsComesOut() {
        var trouble = TavolaException.of(
                Status.UNAVAILABLE.withDescription("the bot's own").asException());
        var thrown = assertThrows(
                TavolaException.class,
                () -> fake.seat().play(update -> {
                    throw trouble;
                }));
        assertSame(trouble, thrown);
        assertEquals(List.of(), fake.table.submitted);
    }

    @Test
    void aStreamThatEndsWithoutAResultIsAnError() {
        fake.table.hangsUp = true;
        var failure = assertThrows(TavolaException.class, () -> fake.seat().play(this::firstLegal));
        assertTrue(failure.getMessage().contains("without a result"), failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 500})
    void patienceEnds(long millis) {
        Seat seat = fake.seat(settings -> settings.patience(Duration.ofMillis(millis)));
        long began = System.nanoTime();
        var failure = assertThrows(
                TavolaException.class,
                () -> seat.play(update -> {
                    fake.stop();
                    return firstLegal(update);
                }));
        assertEquals(Status.Code.UNAVAILABLE, failure.code());
        assertEquals("", failure.reasonName());
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.toSeconds() < 10, took::toString);
    }

    @Test
    void aServerThatRestartsIsWaitedFor() {
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        fake.seat().play(update -> {
            if (update.getDecision().getDecisionId() == 3) {
                fake.stop();
                later.schedule(fake::restart, 300, TimeUnit.MILLISECONDS);
            }
            return firstLegal(update);
        });
        later.shutdown();
        assertEquals(List.of(1L, 3L, 5L), asked);
        assertEquals(given(10, 30, 50), fake.table.submitted);
        assertEquals(List.of(-1L, 3L), fake.table.watched);
    }

    @Test
    void aWatcherSeesEveryVersionOnce() {
        Seat seat = fake.seat();
        seat.play(this::firstLegal);
        fake.table.cuts.addAll(Set.of(3L, 5L));
        List<Long> versions = new ArrayList<>();
        try (Updates updates = seat.watchFrom(1)) {
            updates.forEach(update -> versions.add(update.getVersion()));
            assertThrows(IllegalStateException.class, updates::iterator);
        }
        assertEquals(List.of(2L, 3L, 4L, 5L, 6L, 7L), versions);
        assertEquals(List.of(-1L, 1L, 3L, 5L), fake.table.watched);
        assertEquals(0, fake.table.watchers());
    }

    @Test
    void aWatcherThatLeavesClosesItsStream() throws InterruptedException {
        try (Updates updates = fake.seat().watch()) {
            updates.iterator().next();
            assertEquals(1, fake.table.watchers());
        }
        for (int tries = 0; fake.table.watchers() > 0; tries++) {
            assertTrue(tries < 500, "the stream is open");
            Thread.sleep(20);
        }
    }

    @Test
    void closingEndsTheWaitForAnUpdate() throws Exception {
        Updates updates = fake.seat().watch();
        Iterator<Update> iterator = updates.iterator();
        iterator.next(); // The game waits for our answer from here on.
        var waiting = CompletableFuture.supplyAsync(iterator::hasNext);
        Thread.sleep(100);
        assertFalse(waiting.isDone());
        updates.close();
        assertFalse(waiting.get(10, TimeUnit.SECONDS));
    }

    @Test
    void closingTheClientEndsAPlay() throws InterruptedException {
        Client client = fake.client(settings -> settings.patience(Duration.ofHours(1)));
        Seat seat = client.seat(FakeTable.SESSION, 0, FakeTable.TOKEN);
        var reached = new CountDownLatch(1);
        var play = CompletableFuture.supplyAsync(() -> seat.play(update -> {
            if (update.getDecision().getDecisionId() == 1) {
                reached.countDown();
                client.close();
            }
            return firstLegal(update);
        }));
        reached.await();
        var ended = assertThrows(ExecutionException.class, () -> play.get(10, TimeUnit.SECONDS));
        assertEquals(Status.Code.UNAVAILABLE, ((TavolaException) ended.getCause()).code());
    }

    @Test
    void anInterruptEndsAPlay() throws Exception {
        fake.stop();
        Seat seat = fake.seat(settings -> settings.patience(Duration.ofHours(1)));
        var end = new CompletableFuture<TavolaException>();
        Thread player = new Thread(() -> {
            var failure = assertThrows(TavolaException.class, () -> seat.play(this::firstLegal));
            if (Thread.interrupted()) {
                end.complete(failure);
            }
        });
        player.start();
        Thread.sleep(300);
        player.interrupt();
        assertEquals(Status.Code.CANCELLED, end.get(10, TimeUnit.SECONDS).code());
    }

    @Test
    void theContextEndsAPlay() {
        fake.stop();
        Seat seat = fake.seat(settings -> settings.patience(Duration.ofHours(1)));
        var scheduler = Executors.newSingleThreadScheduledExecutor();
        long began = System.nanoTime();
        var context = Context.current().withDeadlineAfter(300, TimeUnit.MILLISECONDS, scheduler);
        context.run(() -> assertThrows(TavolaException.class, () -> seat.play(this::firstLegal)));
        scheduler.shutdown();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.toSeconds() < 10, took::toString);
        assertNull(fake.table.headers, "nobody was reached");
    }
}
