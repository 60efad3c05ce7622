import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** CompletableFuture: chains, combinations, exceptions, time-outs. */
public class B03Futures {
    static <T> void show(String n, CompletableFuture<T> f) {
        try {
            System.out.println(n + " " + f.get());
        } catch (ExecutionException e) {
            System.out.println(n + " failed " + e.getCause());
        } catch (CancellationException | InterruptedException e) {
            System.out.println(n + " " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(3);
        show("supply", CompletableFuture.supplyAsync(() -> 20, ex).thenApply(x -> x + 1).thenApplyAsync(x -> x * 2, ex));
        show("compose", CompletableFuture.supplyAsync(() -> "a").thenCompose(s -> CompletableFuture.supplyAsync(() -> s + "b", ex)));
        show("combine", CompletableFuture.supplyAsync(() -> 3, ex).thenCombine(CompletableFuture.supplyAsync(() -> 4, ex), Integer::sum));
        List<CompletableFuture<Integer>> many = IntStream.range(0, 20).mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i, ex)).toList();
        show("allOf", CompletableFuture.allOf(many.toArray(new CompletableFuture[0])).thenApply(v -> many.stream().mapToInt(CompletableFuture::join).sum()));
        show("anyOf", CompletableFuture.anyOf(new CompletableFuture<>(), CompletableFuture.completedFuture("ready")));
        show("exception", CompletableFuture.supplyAsync(() -> { if (true) throw new IllegalStateException("bad"); return 1; }, ex));
        show("exceptionally", CompletableFuture.supplyAsync(() -> 1 / Integer.parseInt("0"), ex).exceptionally(t -> -1));
        show("handle", CompletableFuture.<Integer>failedFuture(new RuntimeException("r")).handle((v, t) -> v + " " + t));
        show("handle async", CompletableFuture.supplyAsync(() -> { if (true) throw new RuntimeException("wrapped"); return 1; }, ex).handle((v, t) -> t.getClass().getSimpleName() + "/" + t.getCause()));
        StringBuffer log = new StringBuffer();
        show("whenComplete", CompletableFuture.completedFuture(5).whenComplete((v, t) -> log.append("done ").append(v)).thenApply(x -> x));
        show("accept", CompletableFuture.completedFuture(6).thenAccept(x -> log.append(" accepted ").append(x)));
        show("run", CompletableFuture.runAsync(() -> log.append(" ran"), ex));
        show("both", CompletableFuture.completedFuture(1).runAfterBoth(CompletableFuture.completedFuture(2), () -> log.append(" both")));
        show("either", CompletableFuture.completedFuture("x").applyToEither(new CompletableFuture<>(), s -> s + "!"));
        System.out.println(log);
        CompletableFuture<String> manual = new CompletableFuture<>();
        CompletableFuture<Integer> dep = manual.thenApply(String::length);
        System.out.println(manual.isDone() + " " + dep.getNow(-1) + manual.getNumberOfDependents() + manual.complete("four") + manual.complete("again") + dep.join());
        manual.obtrudeValue("obtruded");
        System.out.println(manual.join() + " " + manual.toString().replaceAll("@[0-9a-f]+", "@X"));
        show("timeout", new CompletableFuture<String>().orTimeout(5, TimeUnit.MILLISECONDS));
        show("default", new CompletableFuture<String>().completeOnTimeout("late", 5, TimeUnit.MILLISECONDS));
        show("delayed", CompletableFuture.supplyAsync(() -> "delayed", CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS, ex)));
        CompletableFuture<Integer> c = new CompletableFuture<>();
        CompletableFuture<Integer> after = c.thenApply(x -> x + 1);
        System.out.println(c.cancel(true) + " " + c.isCancelled() + c.isCompletedExceptionally() + after.isCompletedExceptionally() + after.isCancelled());
        show("cancelled", c);
        show("after", after);
        try {
            CompletableFuture.failedFuture(new java.io.IOException("io")).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        show("copy", CompletableFuture.completedFuture(1).copy());
        show("composeExc", CompletableFuture.<String>failedFuture(new Error("e")).exceptionallyCompose(t -> CompletableFuture.completedFuture("recovered " + t.getMessage())));
        System.out.println(((CompletionStage<Integer>) CompletableFuture.completedStage(3)).toCompletableFuture().join() + " " + CompletableFuture.completedFuture(1).minimalCompletionStage().getClass().getSimpleName());
        FutureTask<Integer> ft = new FutureTask<>(() -> 7);
        new Thread(ft).start();
        System.out.println(ft.get() + " " + ft.isDone() + ft.cancel(true));
        ex.shutdown();
    }
}
