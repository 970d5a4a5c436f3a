package io.waybill.jdbc;

import io.waybill.process.Decision;
import io.waybill.process.StepExecution;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes what was decided about a process: its row, the rows of its steps, and its log. */
interface ProcessWrites {

    /** False when there is a process of this type about this key: nothing is written then. */
    boolean insert(Connection connection, Decision decision) throws SQLException;

    /** False when somebody else has written the process since it was read. */
    boolean save(Connection connection, Decision decision) throws SQLException;

    /** The executions that have begun. */
    static List<StepExecution> added(Decision decision) {
        int known = known(decision);
        return decision.after().executions().stream()
                .filter(step -> step.number() > known)
                .toList();
    }

    /** The executions that are different from what was read. */
    static List<StepExecution> changed(Decision decision) {
        int known = known(decision);
        return decision.after().executions().stream()
                .filter(step -> step.number() <= known)
                .filter(step -> !step.equals(decision.before().orElseThrow().execution(step.number())))
                .toList();
    }

    private static int known(Decision decision) {
        return decision.before().map(before -> before.executions().size()).orElse(0);
    }
}
