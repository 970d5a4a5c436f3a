package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.testkit.memory.MemoryBroker;
import org.junit.jupiter.api.Test;

/** On databases where of the guide's tables only the outbox and the inbox are taken over. */
abstract class OutboxAdoptionContract extends AdoptionContract {

    @Test
    void the_guides_commands_and_processes_are_refused_before_its_outbox_is_touched() throws Exception {
        migrate("V1__baseline", "V2__process_manager");
        insert(database, "PENDING", 1);
        var before = Snapshot.of(database.dataSource());

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema())
                .hasMessageContaining("- command has no attempt, correlation_id")
                .hasMessageContaining("- process_instance has no ")
                .hasMessageContaining("- process_log has no ")
                .hasMessageContaining("Nothing was changed. Of the guide's tables only outbox and inbox are taken over")
                .hasMessageContaining("set a table prefix");
        assertThat(Snapshot.of(database.dataSource())).isEqualTo(before);

        for (String table : new String[] {"process_log", "process_instance", "command"}) {
            Rows.execute(database, "ALTER TABLE " + table + " RENAME TO former_" + table);
        }
        var store = JdbcStore.on(database.dataSource()).initializeSchema();
        var broker = new MemoryBroker();
        assertThat(Relays.drain(store, broker)).isEqualTo(1);
    }
}
