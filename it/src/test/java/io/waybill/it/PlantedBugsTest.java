package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants one mistake after the other into a copy of the sources, builds it, and expects the named test to fail: a guarantee whose test stays
 * green without the code that keeps it is not tested. It takes half a minute each, so it runs with {@code -Pfull} only; with
 * {@code -Dwaybill.planted.bugs=REGEX} those whose name matches. That each still fits its source is checked in every build.
 */
final class PlantedBugsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> LEFT_OUT = Set.of(".git", "node_modules", "surefire-reports");

    @TempDir
    static Path copy;

    /**
     * A mistake.
     *
     * @param name what is wrong then, as in docs/guarantees.md
     * @param module where its test is
     * @param test the class that must fail, with its method
     */
    record Bug(String name, String module, String test, List<Change> changes) {

        Optional<Path> testFile() throws IOException {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                return files.filter(file -> file.endsWith(test.replaceAll("[#$].*", "") + ".java"))
                        .findFirst();
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What stands in the source of a type instead of something else. */
    record Change(String type, String right, String wrong) {

        /** Relative to the root. Simple names are unique in main code. */
        Path file() throws IOException {
            try (Stream<Path> files = Files.walk(ROOT)) {
                return files.filter(file -> file.endsWith(type + ".java")
                                && file.toString().contains("/src/main/java/io/waybill/")
                                && !file.toString().contains("/target/"))
                        .map(ROOT::relativize)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("There is no type " + type + " any more."));
            }
        }
    }

    static Stream<Bug> bugs() {
        String chosen = System.getProperty("waybill.planted.bugs", "");
        return all().filter(bug ->
                chosen.isEmpty() || chosen.equals("true") || bug.name().matches(chosen));
    }

    private static Stream<Bug> all() {
        return Stream.of(
                new Bug(
                        "a lease that its owner does not know about is renewed for ever",
                        "store-jdbc",
                        "H2StoreTest$HandOver#shards_that_were_taken_without_an_answer_are_served_within_the_time_of_a_lease",
                        List.of(
                                new Change("JdbcLeaseStore", " AND ${held}\n", "\n"),
                                new Change("JdbcLeaseStore", "if (!held.isEmpty()) {", "{"),
                                new Change(
                                        "JdbcLeaseStore",
                                        "RENEW.replace(\"${held}\", HeldLeasesSql.are(held))",
                                        "RENEW"),
                                new Change("JdbcLeaseStore", "owner IN ('', ?)", "owner IN ('', CONCAT(?, '-'))"),
                                new Change(
                                        "ShardLeases",
                                        "        if (!held.isEmpty()) {\n            renew();",
                                        "        {\n            renew();"))),
                new Bug(
                        "a settlement names positions, not messages",
                        "it",
                        "PostgresFailoverTest#what_was_published_before_is_not_settled_on_messages_that_got_the_same_ids",
                        List.of(new Change(
                                "PostgresRemoval",
                                "AND (o.outbox_id IN (SELECT unnest(?::uuid[]))) IS TRUE",
                                "AND ?::uuid[] IS NOT NULL"))),
                new Bug(
                        "what is known about ids survives a fail-over",
                        "it",
                        "PostgresFailoverTest#a_replica_that_lagged_takes_over_and_nothing_that_it_has_is_lost_or_overtaken",
                        List.of(
                                new Change(
                                        "ServerKnowledge",
                                        "        if (isNew) {",
                                        "        if (isNew && seen.size() < 2) {"),
                                new Change(
                                        "ServerKnowledge",
                                        "server = \"((\" + both + \") & ((1::bigint << \" + SERVER_BITS + \") - 1))\";",
                                        "server = both.isEmpty() ? both : \"0::bigint\";"))),
                new Bug(
                        "a handler reads its lease from an old snapshot",
                        "store-jdbc",
                        "RepeatableReadTest#a_message_that_waits_for_another_attempt_elsewhere_is_not_taken",
                        List.of(
                                new Change("PortableOutboxStore", "COUNT_HELD + \" ${latest}\"", "COUNT_HELD"),
                                new Change("PortableOutboxStore", "asClaimed(messages), kept)", "\"TRUE\", kept)"))),
                new Bug(
                        "a deadline that has passed can un-pass",
                        "testkit",
                        "MemoryBrokerTest$Publishes#after_a_deadline_that_has_passed_once_nothing_is_sent",
                        List.of(new Change("Deadline", "            passed = true;", "            return true;"))),
                new Bug(
                        "a mark steps over a late commit of a key that is being handled",
                        "store-jdbc",
                        "PostgresStoreTest$HandOver#a_message_that_is_committed_late_while_its_key_is_handled_goes_before_what_comes_after_it",
                        List.of(new Change(
                                "LowWaterMarks",
                                "Math.min(proof.getKey() - 1, proof.getValue())",
                                "proof.getKey() - 1"))),
                new Bug(
                        "an error commits",
                        "store-jdbc",
                        "RollbackTest#an_error_in_a_transaction_of_our_own_rolls_back",
                        List.of(new Change(
                                "Jdbc",
                                "            } catch (Throwable e) {\n                rollBack(connection, e);",
                                "            } catch (Throwable e) {\n                endTransaction(connection);"))),
                new Bug(
                        "a receiver reads waiting keys from an old snapshot",
                        "store-jdbc",
                        "RepeatableReadTest#a_key_that_waits_since_the_transaction_began_is_seen",
                        List.of(new Change("JdbcWaitingKeys", " IN (${keys}) ${latest}", " IN (${keys})"))),
                new Bug(
                        "a second take-over from the same relay is not fenced",
                        "testkit",
                        "MemoryStoreTest$HandOver#whoever_takes_shards_from_a_relay_that_stopped_answering_fences_it_each_time",
                        List.of(new Change(
                                "PublisherPool",
                                "        takenOver.add(other);\n",
                                "        if (!takenOver.add(other)) {\n            return;\n        }\n"))),
                new Bug(
                        "a shard is given back while something of it is in flight",
                        "testkit",
                        "MemoryStoreTest$HandOver#a_shard_is_handed_over_when_its_broker_has_answered",
                        List.of(
                                new Change("ShardLeases", "        idle.removeAll(inFlight.shards());\n", ""),
                                new Change(
                                        "ShardLeases",
                                        ".sorted(Comparator.comparing(busy::contains))",
                                        ".sorted(Comparator.comparing(shard -> !busy.contains(shard)))"))),
                new Bug(
                        "the horizon passes a prepared transaction after a restart",
                        "store-jdbc",
                        "VisibilityHorizonTest#nothing_is_certain_as_long_as_a_prepared_transaction_holds_an_id",
                        List.of(new Change(
                                "VisibilityHorizon",
                                "if (!prepared.isEmpty()) {\n            return;",
                                "if (prepared.contains(\"\")) {\n            return;"))),
                new Bug(
                        "the horizon does not look at open transactions",
                        "store-jdbc",
                        "VisibilityHorizonTest#nothing_is_certain_as_long_as_an_open_transaction_holds_an_id",
                        List.of(new Change(
                                "VisibilityHorizon",
                                "        if (busy.isEmpty()) {",
                                "        if (busy.size() < 1_000) {"))),
                new Bug(
                        "a settlement without the token of its lease",
                        "store-jdbc",
                        "PostgresStoreTest$Outbox#a_relay_that_lost_its_lease_settles_nothing",
                        List.of(new Change("PostgresRemoval", " AND lease.token = held.token", ""))),
                new Bug(
                        "a claim reads from the last id it has seen",
                        "store-jdbc",
                        "PostgresStoreTest$RelayPrefetch#writers_that_commit_late_and_a_relay_that_reads_ahead_keep_every_key_in_order",
                        List.of(
                                new Change(
                                        "LowWaterMarks",
                                        "rewind, Math.min(read, horizon), proofs",
                                        "rewind,\n                        Math.max(\n                                Math.max(last[i], Math.min(read, horizon)),\n                                of(lane.shard(), lane.destination()) == null\n                                        ? 0\n                                        : of(lane.shard(), lane.destination()).seen),\n                        proofs"))),
                new Bug(
                        "nothing is held behind a message that waits",
                        "testkit",
                        "MemoryStoreTest",
                        List.of(new Change(
                                "BatchSender",
                                "            if (message.state() == State.BLOCKED\n                    || (!stopped",
                                "            if ((!stopped"))),
                new Bug(
                        "records of a partition are sent to Kafka without waiting for those before them",
                        "transports/kafka",
                        "PoisonTest#a_record_that_the_broker_refuses_has_nothing_of_its_key_behind_it",
                        List.of(
                                new Change(
                                        "KafkaSettings",
                                        "MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, \"1\"",
                                        "MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, \"5\""),
                                new Change("KafkaSettings", "Integer.toString(512 * 1024)", "\"1\""),
                                new Change(
                                        "Waves",
                                        "open = open && bytes >= 0 && parcels-- > 0;",
                                        "open = parcels-- > 0;"),
                                new Change(
                                        "Waves",
                                        "if (parcel.size() > room && wave.isEmpty()) {",
                                        "if (parcel.size() == Integer.MAX_VALUE && wave.isEmpty()) {"),
                                new Change(
                                        "OrderedProducer",
                                        "if (error != null && !broken && (!gone || mayHaveBeenDivided(error))) {",
                                        "if (error != null && !broken && gone && errors.length > 1_000_000) {"))),
                new Bug(
                        "a batch is settled although the one before it was not",
                        "store-jdbc",
                        "PostgresStoreTest$RelayPrefetch#what_was_prefetched_behind_a_batch_that_could_not_be_settled_is_not_sent_before_it",
                        List.of(new Change("InFlightPublishes", "batch -> !batch.disowned", "batch -> true"))),
                new Bug(
                        "no lease is taken above the owner's",
                        "testkit",
                        "MemoryStoreTest$MixedRelays#what_the_owner_of_a_shard_cannot_handle_another_one_does",
                        List.of(new Change(
                                "ShardLeases",
                                "if (SharedShards.isMixed(table, announced)) {",
                                "if (SharedShards.isMixed(table, announced) && table.liveRelays() > 1_000) {"))),
                new Bug(
                        "a lease above the owner's claims what the owner serves",
                        "testkit",
                        "MemoryStoreTest$MixedRelays#what_both_serve_is_sent_by_the_owner_of_the_shard",
                        List.of(new Change(
                                "SharedShards",
                                "excluded.put(shard, standing.excluded())",
                                "excluded.put(shard, List.of())"))),
                new Bug(
                        "messages to a process stay at a node that does not have its version",
                        "runtime",
                        "H2ProcessesTest#sub_processes_and_operators_reach_the_node_that_has_the_definition",
                        List.of(new Change(
                                "BusCommandSender",
                                "!destination.equals(message.destination())",
                                "destination.isEmpty()"))),
                new Bug(
                        "a node continues a process whose steps have become of another kind",
                        "testkit",
                        "MemoryProcessStoreTest",
                        List.of(new Change(
                                "ProcessDefinition",
                                "graph.has(currentName(step)) && fits(at(step).step.action(), kind)",
                                "graph.has(currentName(step)) || fits(at(step).step.action(), kind)"))),
                new Bug(
                        "a command that was done is said to have failed",
                        "testkit",
                        "MemoryStoreTest$ForeignCommands#a_command_that_was_done_is_not_said_to_have_failed",
                        List.of(new Change(
                                "CommandExecution",
                                "                && hasReply(known.get(), message)) {",
                                "                && !hasReply(known.get(), message)) {"))),
                new Bug(
                        "processes of other versions delay what is due",
                        "testkit",
                        "MemoryProcessStoreTest",
                        List.of(new Change(
                                "MemoryProcessStore",
                                "                .filter(due -> definitions.contains(versionOf(due.getKey())))\n",
                                ""))),
                new Bug(
                        "the inbox is written outside of the handler's transaction",
                        "store-jdbc",
                        "H2StoreTest$Receivers",
                        List.of(
                                new Change(
                                        "BatchReceiver",
                                        "inbox.store().record(transaction, entries))",
                                        "java.util.concurrent.CompletableFuture.supplyAsync(() -> inbox.transactions().inTransaction(other -> inbox.store().record(other, entries))).join())"))));
    }

    @Test
    void every_planted_bug_fits_its_source_and_has_its_test() throws IOException {
        for (Bug bug : all().toList()) {
            assertThat(bug.testFile()).as(bug.name()).isPresent();
            if (bug.test().contains("$")) {
                assertThat(Files.readString(bug.testFile().orElseThrow()))
                        .as(bug.name())
                        .contains("class " + bug.test().replaceAll(".*\\$|#.*", "") + " ");
            }
            for (Change change : bug.changes()) {
                assertThat(Files.readString(ROOT.resolve(change.file())))
                        .as(bug.name())
                        .contains(change.right());
            }
        }
    }

    private static void copySources() throws IOException {
        if (Files.exists(copy.resolve("pom.xml"))) {
            return;
        }
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
    @EnabledIfSystemProperty(named = "waybill.planted.bugs", matches = ".+")
    void a_planted_bug_is_found(Bug bug) throws Exception {
        copySources();
        for (Change change : bug.changes()) {
            replace(change.file(), change.right(), change.wrong());
        }
        try {
            String output = test(bug);
            assertThat(output).as("what was planted must compile").doesNotContain("COMPILATION ERROR");
            assertThat(output).containsPattern("Tests run: \\d+, (Failures: [1-9]|Failures: \\d+, Errors: [1-9])");
        } finally {
            for (Change change : bug.changes()) {
                Files.copy(
                        ROOT.resolve(change.file()), copy.resolve(change.file()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void replace(Path file, String right, String wrong) throws IOException {
        Path planted = copy.resolve(file);
        String source = Files.readString(planted);
        assertThat(source).as("the sources have changed").contains(right);
        Files.writeString(planted, source.replace(right, wrong));
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
