package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants one mistake after the other into a copy of the sources, builds it, and expects the named test to fail: a guarantee whose test stays
 * green without the code that keeps it is not tested. It takes about a minute each, so it runs with {@code -Pfull} only.
 */
@EnabledIfSystemProperty(named = "waybill.planted.bugs", matches = "true")
final class PlantedBugsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> LEFT_OUT = Set.of(".git", "node_modules", "surefire-reports");
    private static final String RELAY = "core/src/main/java/io/waybill/relay/";
    private static final String JDBC = "store-jdbc/src/main/java/io/waybill/jdbc/";

    @TempDir
    static Path copy;

    /**
     * A mistake.
     *
     * @param name what is wrong then, as in docs/guarantees.md
     * @param changes pairs of a text of the file and what stands there instead
     * @param test the class that must fail, with its method
     */
    record Bug(String name, String file, List<String> changes, String module, String test) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bug> bugs() {
        return Stream.of(
                new Bug(
                        "a lease that its owner does not know about is renewed for ever",
                        JDBC + "JdbcLeaseStore.java",
                        List.of(
                                " AND ${held}\n",
                                "\n",
                                "if (!held.isEmpty()) {",
                                "{",
                                "RENEW.replace(\"${held}\", Settling.held(held))",
                                "RENEW",
                                "owner IN ('', ?)",
                                "owner IN ('', CONCAT(?, '-'))"),
                        "store-jdbc",
                        "H2LostAnswersTest#whichever_answer_is_lost_everything_happens_once_and_in_order"),
                new Bug(
                        "a settlement names positions, not messages",
                        JDBC + "PostgresTaking.java",
                        List.of("AND o.id = sent.id AND o.outbox_id = sent.outbox_id", "AND o.id = sent.id"),
                        "it",
                        "PostgresFailoverTest#what_was_published_before_is_not_settled_on_messages_that_got_the_same_ids"),
                new Bug(
                        "what is known about ids survives a fail-over",
                        JDBC + "ServerKnowledge.java",
                        List.of(
                                "        if (isNew) {",
                                "        if (isNew && seen.size() < 2) {",
                                "server = \"((\" + both + \") & ((1::bigint << \" + SERVER_BITS + \") - 1))\";",
                                "server = both.isEmpty() ? both : \"0::bigint\";"),
                        "it",
                        "PostgresFailoverTest#a_replica_that_lagged_takes_over_and_nothing_that_it_has_is_lost_or_overtaken"),
                new Bug(
                        "a handler reads its lease from an old snapshot",
                        JDBC + "PortableOutboxStore.java",
                        List.of(
                                "COUNT_HELD + \" ${latest}\"",
                                "COUNT_HELD",
                                "asClaimed(messages), kept)",
                                "\"TRUE\", kept)"),
                        "store-jdbc",
                        "RepeatableReadTest#a_message_that_waits_for_another_attempt_elsewhere_is_not_taken"),
                new Bug(
                        "a deadline that has passed can un-pass",
                        "core/src/main/java/io/waybill/transport/Deadline.java",
                        List.of("            passed = true;", "            return true;"),
                        "testkit",
                        "MemoryBrokerTest$Publishes#after_a_deadline_that_has_passed_once_nothing_is_sent"),
                new Bug(
                        "a mark steps over a late commit of a key that is being handled",
                        JDBC + "Marks.java",
                        List.of("Math.min(proof.getKey() - 1, proof.getValue())", "proof.getKey() - 1"),
                        "store-jdbc",
                        "PostgresStoreTest$HandOver#a_message_that_is_committed_late_while_its_key_is_handled_goes_before_what_comes_after_it"),
                new Bug(
                        "an error commits",
                        JDBC + "Jdbc.java",
                        List.of(
                                "            } catch (Throwable e) {\n                undo(connection, e);",
                                "            } catch (Throwable e) {\n                endTransaction(connection);"),
                        "store-jdbc",
                        "RollbackTest#an_error_in_a_transaction_of_our_own_rolls_back"),
                new Bug(
                        "a receiver reads waiting keys from an old snapshot",
                        JDBC + "JdbcWaitingKeys.java",
                        List.of(" IN (${keys}) ${latest}", " IN (${keys})"),
                        "store-jdbc",
                        "RepeatableReadTest#a_key_that_waits_since_the_transaction_began_is_seen"),
                new Bug(
                        "a second take-over from the same relay is not fenced",
                        RELAY + "Publishers.java",
                        List.of(
                                "        takenOver.add(other);\n",
                                "        if (!takenOver.add(other)) {\n            return;\n        }\n"),
                        "testkit",
                        "MemoryStoreTest$HandOver#whoever_takes_shards_from_a_relay_that_stopped_answering_fences_it_each_time"),
                new Bug(
                        "a shard is given back while something of it is in flight",
                        RELAY + "ShardLeases.java",
                        List.of(
                                "        idle.removeAll(inFlight.shards());\n",
                                "",
                                ".sorted(Comparator.comparing(busy::contains))",
                                ".sorted(Comparator.comparing(shard -> !busy.contains(shard)))"),
                        "testkit",
                        "MemoryStoreTest$HandOver#a_shard_is_handed_over_when_its_broker_has_answered"),
                new Bug(
                        "the horizon passes a prepared transaction after a restart",
                        JDBC + "Horizon.java",
                        List.of(
                                "if (!prepared.isEmpty()) {\n            return;",
                                "if (prepared.contains(\"\")) {\n            return;"),
                        "store-jdbc",
                        "PreparedTransactionTest#nothing_is_certain_as_long_as_a_prepared_transaction_holds_an_id"),
                new Bug(
                        "a settlement without the token of its lease",
                        JDBC + "PostgresTaking.java",
                        List.of(" AND lease.token = held.token", ""),
                        "store-jdbc",
                        "PostgresStoreTest$Outbox#a_relay_that_lost_its_lease_settles_nothing"),
                new Bug(
                        "a claim reads from the last id it has seen",
                        JDBC + "Marks.java",
                        List.of(
                                "rewind, Math.min(read, horizon), proofs",
                                "rewind, Math.min(read, Math.max(horizon, last[i])), proofs"),
                        "store-jdbc",
                        "PostgresStoreTest$RelayOrder#of_two_that_overlap_the_one_that_is_seen_first_goes_first_whatever_its_position"),
                new Bug(
                        "the horizon does not look at open transactions",
                        JDBC + "Horizon.java",
                        List.of(
                                "        if (busy.isEmpty()) {",
                                "        if (busy.isEmpty() || busy.size() < 1_000) {"),
                        "store-jdbc",
                        "PostgresStoreTest$RelayPrefetch#writers_that_commit_late_and_a_relay_that_reads_ahead_keep_every_key_in_order"),
                new Bug(
                        "nothing is held behind a message that waits",
                        RELAY + "Sending.java",
                        List.of(
                                "            if (message.state() == State.BLOCKED\n                    || (!stopped",
                                "            if ((!stopped"),
                        "testkit",
                        "MemoryStoreTest"),
                new Bug(
                        "the inbox is written outside of the handler's transaction",
                        "core/src/main/java/io/waybill/inbox/Receiving.java",
                        List.of(
                                "inbox.store().record(transaction, entries))",
                                "java.util.concurrent.CompletableFuture.supplyAsync(() -> inbox.transactions().inTransaction(other -> inbox.store().record(other, entries))).join())"),
                        "store-jdbc",
                        "H2StoreTest"),
                new Bug(
                        "records of Kafka are pipelined",
                        "transports/kafka/src/main/java/io/waybill/kafka/Settings.java",
                        List.of(
                                "MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, \"1\"",
                                "MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, \"5\"",
                                "Integer.toString(512 * 1024)",
                                "\"1\"",
                                "Integer.toString(LINGER_MILLIS)",
                                "\"0\""),
                        "transports/kafka",
                        "PoisonTest#a_record_that_the_broker_refuses_has_nothing_of_its_key_behind_it"));
    }

    @BeforeAll
    static void copySources() throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (LEFT_OUT.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(ROOT.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, copy.resolve(ROOT.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void a_planted_bug_is_found(Bug bug) throws Exception {
        Path file = copy.resolve(bug.file());
        String right = Files.readString(file);
        String wrong = right;
        for (int i = 0; i < bug.changes().size(); i += 2) {
            assertThat(wrong)
                    .as("the sources have changed")
                    .contains(bug.changes().get(i));
            wrong = wrong.replace(bug.changes().get(i), bug.changes().get(i + 1));
        }
        Files.writeString(file, wrong);
        try {
            String output = test(bug);
            assertThat(output).as("what was planted must compile").doesNotContain("COMPILATION ERROR");
            assertThat(output).contains("There are test failures");
        } finally {
            Files.writeString(file, right);
        }
    }

    private static String test(Bug bug) throws IOException, InterruptedException {
        Path log = copy.resolve("planted.log");
        Process maven = new ProcessBuilder(
                        "mvn",
                        "-o",
                        "-B",
                        "test",
                        "-Dquick",
                        "-pl",
                        bug.module(),
                        "-am",
                        "-Dtest=" + bug.test(),
                        "-Dsurefire.failIfNoSpecifiedTests=false")
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(maven.waitFor(10, TimeUnit.MINUTES)).as("it ends").isTrue();
        return Files.readString(log);
    }
}
