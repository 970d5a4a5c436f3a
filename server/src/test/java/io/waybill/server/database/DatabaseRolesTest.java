package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatabaseRolesTest {

    private static final List<String> COLUMNS = List.of("", "table", "relay", "application", "operator");

    @ParameterizedTest
    @EnumSource(names = "MIGRATION", mode = EnumSource.Mode.EXCLUDE)
    void the_documents_list_the_rights_of_each_role(DatabaseRole role) throws IOException {
        List<String> cells = Files.readAllLines(Path.of("../docs/schema.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .map(cell -> cell[1].strip().replace("`", "") + ": " + cell[COLUMNS.indexOf(role.label())].strip())
                .filter(cell -> !cell.endsWith(": "))
                .toList();

        assertThat(cells)
                .containsExactlyInAnyOrderElementsOf(TableRights.of(role, Dialect.MARIADB, "").rights().stream()
                        .map(right -> right.table() + ": " + String.join(", ", right.kinds()))
                        .toList());
    }

    @Nested
    class OnPostgres extends DatabaseRolesContract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends DatabaseRolesContract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}
