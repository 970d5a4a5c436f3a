package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.Postgres;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code initialize-schema: embedded}. */
class InitializeSchemaTest {

    @Test
    void an_embedded_database_in_memory_gets_its_tables() {
        try (var database = H2.newDatabase()) {
            var store = JdbcStore.on(database.dataSource()).initializeSchema(InitializeSchema.EMBEDDED);

            assertThat(store.schema().status(database.dataSource()).isCurrent()).isTrue();
        }
    }

    @Test
    void an_embedded_database_in_a_file_gets_its_tables(@TempDir Path directory) {
        var dataSource = h2("jdbc:h2:" + directory.resolve("waybill"));

        var store = JdbcStore.on(dataSource).initializeSchema(InitializeSchema.EMBEDDED);

        assertThat(store.schema().status(dataSource).isCurrent()).isTrue();
    }

    @Test
    void a_server_is_only_checked(@TempDir Path directory) throws Exception {
        var server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
                .start();
        try {
            var dataSource = h2("jdbc:h2:tcp://localhost:" + server.getPort() + "/./waybill");

            assertThatThrownBy(() -> JdbcStore.on(dataSource).initializeSchema(InitializeSchema.EMBEDDED))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("table outbox is missing");
        } finally {
            server.stop();
        }
        try (var database = Postgres.shared().newDatabase()) {
            assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema(InitializeSchema.EMBEDDED))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("table outbox is missing");
        }
    }

    @Test
    void the_setting_is_read_as_it_is_written() {
        assertThat(InitializeSchema.of("always")).isEqualTo(InitializeSchema.ALWAYS);
        assertThat(InitializeSchema.of("embedded")).isEqualTo(InitializeSchema.EMBEDDED);
        assertThat(InitializeSchema.of("NEVER")).isEqualTo(InitializeSchema.NEVER);
        assertThatThrownBy(() -> InitializeSchema.of("sometimes"))
                .hasMessage("initialize-schema (sometimes) must be one of: always, embedded, never.");
    }

    private static JdbcDataSource h2(String url) {
        var dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("sa");
        dataSource.setPassword("");
        return dataSource;
    }
}
