package io.waybill.testkit.contract.framework;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.process.store.ProcessQuery;
import io.waybill.store.NoTransactionException;
import io.waybill.testkit.contract.framework.FrameworkFixture.FileCommand;
import io.waybill.testkit.contract.framework.FrameworkFixture.Phase;
import io.waybill.testkit.contract.framework.FrameworkFixture.Propagation;
import io.waybill.testkit.contract.framework.FrameworkFixture.Work;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an application of a framework may rely on, wherever it appends, accepts or starts: it is committed, or the call throws. Every
 * integration passes it, with pools whose connections commit by themselves and with pools whose connections do not.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FrameworkContract {

    private FrameworkFixture application;

    @SuppressWarnings("NullAway.Init")
    protected FrameworkContract() {}

    /** A new application on a new database. */
    protected abstract FrameworkFixture start() throws Exception;

    @BeforeAll
    void startApplication() throws Exception {
        application = start();
        try (var connection = application.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE filed (what VARCHAR(60) NOT NULL)");
        }
    }

    @AfterAll
    void stopApplication() {
        application.close();
    }

    @Test
    void without_a_transaction_an_append_is_refused_and_the_others_open_their_own() {
        assertThat(outcomes(work -> work.run())).isEqualTo(REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANDATORY")
    void what_a_method_has_written_when_it_returns_is_committed_or_was_refused(Propagation propagation) {
        assertThat(outcomes(work -> application.in(propagation, work)))
                .isEqualTo(opens(propagation) ? ALL_KEPT : REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANDATORY")
    void a_method_that_throws_leaves_nothing_but_what_has_its_own_transaction(Propagation propagation) {
        assertThat(outcomes(work -> application.in(propagation, () -> {
                    work.run();
                    throw new DeliberateException();
                })))
                .isEqualTo(opens(propagation) ? ALL_GONE : REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NEVER")
    void a_method_inside_of_a_transaction_that_rolls_back_shares_its_fate_or_has_its_own(Propagation propagation) {
        assumeTrue(
                propagation != Propagation.NESTED || application.nests(),
                "NOT TESTED: this framework's transaction manager has no nested transactions");
        Outcomes expected = switch (propagation) {
            case REQUIRES_NEW -> ALL_KEPT;
            case NOT_SUPPORTED -> REFUSED_OR_OWN;
            default -> ALL_GONE;
        };

        assertThat(outcomes(work -> application.in(Propagation.REQUIRED, () -> {
                    application.in(propagation, work);
                    throw new DeliberateException();
                })))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"REQUIRED", "REQUIRES_NEW", "SUPPORTS"})
    void a_method_inside_of_a_suspended_transaction_is_committed_or_refused(Propagation propagation) {
        Outcomes outcomes = outcomes(work -> application.in(
                Propagation.REQUIRED,
                () -> application.in(Propagation.NOT_SUPPORTED, () -> application.in(propagation, work))));

        // Micronaut joins "no transaction" where Spring opens one; neither may lose anything.
        assertThat(outcomes).isIn(ALL_KEPT, REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource
    void after_a_transaction_there_is_none_to_join(Phase phase) {
        assertThat(outcomes(work -> application.at(phase, work))).isEqualTo(REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_method_that_joins_what_has_ended_is_committed_or_refused(Phase phase) {
        // Spring's REQUIRED joins the transaction that has ended; Micronaut's opens one.
        assertThat(outcomes(work -> application.at(phase, () -> application.in(Propagation.REQUIRED, work))))
                .isIn(ALL_KEPT, REFUSED_OR_OWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_new_transaction_after_another_is_one(Phase phase) {
        assertThat(outcomes(work -> application.at(phase, () -> application.in(Propagation.REQUIRES_NEW, work))))
                .isEqualTo(ALL_KEPT);
    }

    @Test
    void a_synchronization_after_the_commit_has_no_transaction_to_join() {
        assertThat(outcomes(work -> application.afterCommit(work))).isEqualTo(REFUSED_OR_OWN);
    }

    @Test
    void a_connection_that_was_lent_is_no_transaction() {
        assertThat(outcomes(work -> application.onAnotherDataSource(work))).isEqualTo(REFUSED_OR_OWN);
    }

    @Test
    void a_transaction_of_another_data_source_that_rolls_back_takes_nothing_along() {
        assertThat(outcomes(work -> application.onAnotherDataSource(() -> {
                    work.run();
                    throw new DeliberateException();
                })))
                .isEqualTo(REFUSED_OR_OWN);
    }

    @Test
    void a_transaction_that_only_reads_is_named_as_the_reason() throws Exception {
        String what = UUID.randomUUID().toString();
        for (Work write : List.<Work>of(() -> append(what), () -> accept(what), () -> startProcess(what))) {
            assertThatThrownBy(() -> application.inReadOnly(write))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("read-only");
        }

        application.inReadOnly(() -> assertThat(application.processManager().search(ProcessQuery.ANY.about(what)))
                .isEmpty());
        assertThat(written(what)).isZero();
    }

    @Test
    void a_checked_exception_lets_data_and_messages_share_their_fate() {
        String what = UUID.randomUUID().toString();

        assertThatThrownBy(() -> application.in(Propagation.REQUIRED, () -> {
                    application.write(what);
                    append(what);
                    accept(what);
                    startProcess(what);
                    throw new CheckedException();
                }))
                .isInstanceOf(CheckedException.class);

        long rows = rows("SELECT count(*) FROM filed WHERE what = ?", what);
        assertThat(written(what)).isEqualTo(rows == 0 ? 0 : 3);
    }

    @Test
    void data_and_messages_are_one_commit() throws Exception {
        String what = UUID.randomUUID().toString();

        application.in(Propagation.REQUIRED, () -> {
            application.write(what);
            append(what);
        });

        assertThat(rows("SELECT count(*) FROM filed WHERE what = ?", what)).isEqualTo(1);
        assertThat(written(what)).isEqualTo(1);
    }

    /** What a caller was told, and what is there afterwards. */
    private enum Outcome {
        KEPT,
        GONE,
        REFUSED
    }

    private record Outcomes(Outcome append, Outcome accept, Outcome startProcess) {}

    private static final Outcomes ALL_KEPT = new Outcomes(Outcome.KEPT, Outcome.KEPT, Outcome.KEPT);
    private static final Outcomes ALL_GONE = new Outcomes(Outcome.GONE, Outcome.GONE, Outcome.GONE);
    private static final Outcomes REFUSED_OR_OWN = new Outcomes(Outcome.REFUSED, Outcome.KEPT, Outcome.KEPT);

    /** How a piece of work is run. */
    @FunctionalInterface
    private interface Scope {
        void run(Work work) throws Exception;
    }

    /** Each of the three calls by itself, so that none hides what becomes of another. */
    private Outcomes outcomes(Scope scope) {
        return new Outcomes(
                outcome(scope, this::append), outcome(scope, this::accept), outcome(scope, this::startProcess));
    }

    private Outcome outcome(Scope scope, Write write) {
        String what = UUID.randomUUID().toString();
        var refused = new ArrayList<Throwable>();
        @Nullable
        Throwable thrown = catchThrowable(() -> scope.run(() -> {
            @Nullable Throwable refusal = catchThrowable(() -> write.write(what));
            if (refusal != null) {
                refused.add(refusal);
            }
        }));
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(DeliberateException.class);
        }
        boolean there = written(what) > 0;
        if (!refused.isEmpty()) {
            assertThat(refused.get(0))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("needs an open transaction");
            assertThat(there).as("refused, and there all the same").isFalse();
            return Outcome.REFUSED;
        }
        return there ? Outcome.KEPT : Outcome.GONE;
    }

    /** One of the calls. */
    @FunctionalInterface
    private interface Write {
        void write(String what);
    }

    private static boolean opens(Propagation propagation) {
        return switch (propagation) {
            case REQUIRED, REQUIRES_NEW, NESTED -> true;
            default -> false;
        };
    }

    private void append(String what) {
        application.outbox().append(Message.event("Filed", Map.of("what", what)).to("filed." + what));
    }

    private void accept(String what) {
        application.commandBus().accept(new FileCommand(what), idempotencyKey(what), businessKey(what));
    }

    private void startProcess(String what) {
        application.processManager().startProcess("Filing", what, Map.of("what", what));
    }

    /** Of an append, an accepted command and a started process: how many are there. */
    private long written(String what) {
        return rows("SELECT count(*) FROM outbox WHERE destination = ?", "filed." + what)
                + rows("SELECT count(*) FROM command WHERE idempotency_key = ?", what)
                + rows("SELECT count(*) FROM process_instance WHERE business_key = ?", what);
    }

    private long rows(String sql, String what) {
        try (var connection = application.dataSource().getConnection();
                var statement = connection.prepareStatement(sql)) {
            statement.setString(1, what);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Thrown to roll back. */
    private static final class DeliberateException extends RuntimeException {}

    /** Rolls back in one framework and commits in another. */
    private static final class CheckedException extends Exception {}
}
