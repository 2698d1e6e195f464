package tavola.tests;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Several tasks at once. */
final class Tasks {
    private Tasks() {}

    /** Does the same with each of these, each in a thread of its own, and returns what comes of it in their order. */
    static <T, R> List<R> together(List<T> each, Function<T, R> task) {
        ExecutorService threads = Executors.newFixedThreadPool(each.size());
        try {
            List<CompletableFuture<R>> all = each.stream()
                    .map(one -> CompletableFuture.supplyAsync(() -> task.apply(one), threads))
                    .toList();
            return all.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }
}
