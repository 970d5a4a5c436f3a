package io.waybill.command.execution;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.Time;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.memory.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose answers are looked for in the table of commands. */
final class ReplyWaitersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final MemoryStore memory = new MemoryStore(Time.system());
    private final ConcurrentLinkedQueue<List<UUID>> looks = new ConcurrentLinkedQueue<>();
    private final CommandStore store = watched(memory.commands());
    private final ReplyWaiters waiters = new ReplyWaiters(store, new ReplyJson(PayloadCodec.found()));
    private final CommandBus bus = new StoredCommandBus(
            AutoCommandHandlerRegistry.of(),
            store,
            Outbox.in(memory, memory),
            memory,
            CommandNaming.DEFAULT,
            PayloadCodec.found(),
            waiters,
            Time.system());

    /** Asks. */
    public record AskCommand(int number) implements DomainCommand {}

    @AfterEach
    void close() {
        waiters.close();
    }

    @Test
    void an_answer_that_is_given_elsewhere_is_found_by_everybody_who_waits_for_it() {
        PendingReply one = bus.send(new AskCommand(1), idempotencyKey("ask-1"));
        PendingReply again = bus.send(new AskCommand(1), idempotencyKey("ask-1"));
        PendingReply other = bus.send(new AskCommand(2), idempotencyKey("ask-2"));

        end(one.commandId());
        assertThat(one.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
        assertThat(again.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
        end(other.commandId());
        assertThat(other.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);

        PendingReply late = bus.send(new AskCommand(2), idempotencyKey("ask-2"));
        assertThat(late.await(PATIENCE).reply())
                .as("after nobody had waited for a while")
                .isInstanceOf(CommandReply.Completed.class);
    }

    @Test
    void nobody_looks_for_the_answer_to_a_command_that_was_rolled_back_or_that_nobody_wants() {
        assertThatThrownBy(() -> memory.inTransaction(transaction -> {
                    bus.send(new AskCommand(1), idempotencyKey("ask-1"));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        PendingReply unwanted = bus.send(new AskCommand(2), idempotencyKey("ask-2"));
        assertThat(unwanted.future().cancel(false)).isTrue();
        PendingReply wanted = bus.send(new AskCommand(3), idempotencyKey("ask-3"));

        await().atMost(PATIENCE).until(() -> !looks.isEmpty());

        assertThat(looks).allSatisfy(ids -> assertThat(ids).containsExactly(wanted.commandId()));
    }

    @Test
    void answers_to_very_many_commands_are_looked_for_in_statements_that_a_database_takes() {
        var ids = Stream.generate(UUID::randomUUID).limit(1_200).toList();
        ids.forEach(id -> waiters.add(id, new CompletableFuture<>()));

        await().atMost(PATIENCE).until(() -> looks.stream().mapToInt(List::size).sum() >= ids.size());

        assertThat(looks).allSatisfy(look -> assertThat(look).hasSizeLessThanOrEqualTo(500));
    }

    @Test
    void who_waits_when_everything_ends_is_told_and_so_is_who_comes_later() {
        PendingReply waiting = bus.send(new AskCommand(1), idempotencyKey("ask-1"));

        waiters.close();

        assertThat(waiting.future()).isCancelled();
        assertThat(bus.send(new AskCommand(2), idempotencyKey("ask-2")).future())
                .isCancelled();
    }

    private void end(UUID commandId) {
        memory.inTransaction(transaction -> memory.commands()
                .end(transaction, commandId, 1, CommandStatus.COMPLETED, "{\"status\":\"COMPLETED\"}"));
    }

    /** The same store, which remembers what was looked for. */
    private CommandStore watched(CommandStore real) {
        return (CommandStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CommandStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("over")) {
                        looks.add(((Collection<?>) arguments[0])
                                .stream().map(UUID.class::cast).toList());
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
