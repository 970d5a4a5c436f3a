package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.HandlingCommandsContract;
import io.waybill.server.OutboxCommandsContract;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseCommandsTest {

    @Nested
    class OnPostgres extends DatabaseCommandsContract {
        @Override
        public TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends DatabaseCommandsContract {
        @Override
        public TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }

    @Nested
    class HandlingOnMariaDb extends HandlingCommandsContract {
        @Override
        public TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }

    @Nested
    class HandlingOnPostgres extends HandlingCommandsContract {
        @Override
        public TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OutboxOnMariaDb extends OutboxCommandsContract {
        @Override
        public TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }

    @Nested
    class OutboxOnPostgres extends OutboxCommandsContract {
        @Override
        public TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Test
    void a_wrong_url_is_a_usage_error_in_two_lines() {
        var wrong = Cli.run("outbox", "stats", "--db", "orders:s3cret");

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err())
                .hasLineCount(2)
                .contains("not the URL of a database", "Try 'waybill outbox stats --help'")
                .doesNotContain("s3cret");
    }

    @Test
    void a_command_without_its_database_says_so() {
        var missing = Cli.run("outbox", "cleanup");

        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("--db is missing");
    }

    @Test
    void the_statements_are_printed_for_any_dialect() {
        assertThat(Cli.run("schema", "print", "--dialect", "postgresql").out())
                .contains("GENERATED ALWAYS AS IDENTITY");
        assertThat(Cli.run("schema", "print", "--dialect", "mysql").out()).contains("utf8mb4_0900_bin");
        assertThat(Cli.run("schema", "print", "--dialect", "h2").out()).contains("ORA_HASH");
        assertThat(Cli.run("schema", "print").exitCode()).isEqualTo(2);
        assertThat(Cli.run("schema", "print", "--dialect", "oracle").exitCode()).isEqualTo(2);
    }

    @Test
    void an_embedded_database_is_reached_by_its_jdbc_url(@TempDir Path directory) {
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";

        assertThat(Cli.run("schema", "apply", "--db", url).err()).isEmpty();
        assertThat(Cli.run("outbox", "stats", "--db", url).out()).contains("Nothing waits");
    }

    @Test
    void a_wrong_password_is_refused_and_a_password_file_is_read(@TempDir Path directory) throws IOException {
        Path right = Files.writeString(directory.resolve("right"), "s%cret\n");
        Path wrong = Files.writeString(directory.resolve("wrong"), "wr0ng\n");
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";

        var created = Cli.run("schema", "apply", "--db", url, "--password-file", right.toString());
        var refused = Cli.run("outbox", "stats", "--db", url, "--password-file", wrong.toString());
        var missing = Cli.run("outbox", "stats", "--db", url, "--password-file", directory + "/nowhere");

        assertThat(created).isEqualTo(new Cli(0, created.out(), ""));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .hasLineCount(1)
                .contains("refused the user or the password")
                .doesNotContain("wr0ng");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).hasLineCount(1).contains("Could not read the password");
    }

    @Test
    void a_negative_age_or_an_empty_batch_is_refused() {
        assertThat(Cli.run("outbox", "cleanup", "--db", "jdbc:h2:mem:x", "--days", "-1")
                        .exitCode())
                .isEqualTo(2);
        assertThat(Cli.run("outbox", "cleanup", "--db", "jdbc:h2:mem:x", "--batch", "0")
                        .exitCode())
                .isEqualTo(2);
    }
}
