package io.waybill.console.operation;

import io.waybill.WaybillException;
import io.waybill.console.operation.Operation.Progress;
import io.waybill.console.operation.Operation.Result;
import io.waybill.console.operation.Operation.Work;
import io.waybill.jdbc.ops.OperationLog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs changes in the background. Each is in the audit from before its first step, with how far it is: when the process is killed, the
 * entry says where it stopped, and the same change can be started again for the rest.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Operations {

    private static final int THREADS = 4;
    private static final int MAX_REMEMBERED = 200;

    private final Clock clock;
    private final ExecutorService threads = threads();
    private final Deque<Operation> recent = new ArrayDeque<>();

    public Operations(Clock clock) {
        this.clock = clock;
    }

    /** Nobody closes a console: its threads end when they have nothing to do. */
    private static ExecutorService threads() {
        var threads =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    var thread = new Thread(work, "waybill-operation");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * An operation that was interrupted, and whose rest is done.
     *
     * @param ended what the audit says of it from now on
     */
    public record Interrupted(UUID id, String ended) {}

    /**
     * Begins a change. When this returns it is in the audit, also if it has to wait for others.
     *
     * @param request does the rest of it when it is interrupted; empty when it has to be started by hand
     * @param restOf what it is the rest of
     */
    public Operation start(
            OperationLog log,
            String database,
            String operator,
            String command,
            String reason,
            String request,
            Optional<Interrupted> restOf,
            Work work) {
        var operation = new Operation(database, operator, command, reason, clock.instant());
        var begin = new OperationLog.Begin(operation.id(), operator, command, reason, request);
        OperationLog.Running entry = restOf.map(rest -> log.beginRest(begin, rest.id(), rest.ended()))
                .orElseGet(() -> log.begin(begin));
        remember(operation);
        threads.execute(() -> run(entry, operation, work));
        return operation;
    }

    private void remember(Operation operation) {
        synchronized (recent) {
            recent.addFirst(operation);
            if (recent.size() > MAX_REMEMBERED) {
                Iterator<Operation> oldest = recent.descendingIterator();
                while (oldest.hasNext()) {
                    if (oldest.next().state() != Operation.State.RUNNING) {
                        oldest.remove();
                        return;
                    }
                }
            }
        }
    }

    private static void run(OperationLog.Running entry, Operation operation, Work work) {
        try {
            var result = new Result[1];
            entry.run(progress -> {
                result[0] = worked(operation, work, progress);
                return result[0].what();
            });
            operation.result().complete(result[0]);
        } catch (RuntimeException | Error e) {
            operation.result().completeExceptionally(e);
        }
    }

    private static Result worked(Operation operation, Work work, Consumer<String> audit) {
        try {
            operation.goOn();
            return work.run(new Progress() {
                @Override
                public long selected(long total) {
                    operation.selected(total);
                    return total;
                }

                @Override
                public void accept(long changed) {
                    audit.accept(changed + " so far");
                    operation.step(changed);
                }
            });
        } catch (Operation.Cancelled e) {
            return operation.cancelledResult();
        }
    }

    /**
     * Its result, if it comes within this time.
     *
     * @throws WaybillException when it failed
     */
    public static Optional<Result> await(Operation operation, Duration patience) {
        try {
            return Optional.of(operation.result().get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WaybillException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The latest of a database, the last one first. */
    public List<Operation> of(String database) {
        synchronized (recent) {
            return recent.stream()
                    .filter(operation -> operation.database().equals(database))
                    .toList();
        }
    }

    public Optional<Operation> find(String database, UUID id) {
        return of(database).stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst();
    }
}
