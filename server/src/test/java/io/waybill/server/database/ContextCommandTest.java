package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextCommandTest {

    private static final String PROPERTY = "waybill.contexts";

    private final String before = System.getProperty(PROPERTY, "");

    @TempDir
    Path directory;

    private Path file;

    @SuppressWarnings("NullAway.Init")
    ContextCommandTest() {}

    @BeforeEach
    void useFile() {
        file = directory.resolve("waybill").resolve("contexts.yaml");
        System.setProperty(PROPERTY, file.toString());
    }

    @AfterEach
    void leaveFile() {
        System.setProperty(PROPERTY, before);
    }

    @Test
    void commands_work_on_the_context_in_use_or_on_the_one_that_is_named() throws IOException {
        var shop = Cli.run("context", "set", "shop", "--db", h2("shop"), "--table-prefix", "wb_");
        var stock = Cli.run("context", "set", "stock", "--db", h2("stock"));

        assertThat(shop.out()).contains(file.toString(), "It is used from now on");
        assertThat(stock.out()).contains("waybill context use stock");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Cli.run("schema", "apply").out()).contains("shop");
        assertThat(Cli.run("outbox", "stats").out()).contains("Nothing waits");
        assertThat(Cli.run("outbox", "stats", "--table-prefix", "other_").err()).contains("missing or outdated");
        assertThat(Cli.run("schema", "apply", "--context", "stock").out()).contains("stock");
        assertThat(Cli.run("context", "use", "stock").exitCode()).isZero();
        assertThat(Cli.run("outbox", "stats").exitCode()).isZero();
        assertThat(Cli.run("context", "list").out())
                .containsPattern("\\*\\s+stock")
                .contains("shop", "wb_");
        assertThat(Cli.run("context", "list", "-o", "ndjson").out()).hasLineCount(2);
    }

    @Test
    void a_context_that_is_removed_is_used_no_more() {
        Cli.run("context", "set", "shop", "--db", h2("shop"));

        assertThat(Cli.run("context", "remove", "shop").exitCode()).isZero();

        assertThat(Cli.run("context", "list").out()).contains("No contexts are saved");
        assertThat(Cli.run("outbox", "stats").err()).contains("--db is missing");
        assertThat(Cli.run("context", "remove", "shop").err()).contains("There is no context 'shop'");
    }

    @Test
    void a_password_is_read_from_its_file_each_time_or_kept_when_it_was_asked_for() throws IOException {
        Path password = Files.writeString(directory.resolve("password"), "first\n");
        Cli.run("schema", "apply", "--db", h2("shop"), "--password-file", password.toString());

        Cli.run("context", "set", "by-file", "--db", h2("shop"), "--password-file", password.toString());
        var right = Cli.run("outbox", "stats");
        Files.writeString(password, "second\n");
        var wrong = Cli.run("outbox", "stats");
        var asked = withInput("first\n", "context", "set", "asked", "--db", h2("shop"), "--ask-password", "--use");
        var kept = Cli.run("outbox", "stats");
        var list = Cli.run("context", "list");

        assertThat(right.exitCode()).isZero();
        assertThat(wrong.err()).contains("refused the user or the password");
        assertThat(asked.exitCode()).isZero();
        assertThat(kept.exitCode()).isZero();
        assertThat(list.out()).contains("kept here", password.toString()).doesNotContain("first");
    }

    @Test
    void a_file_that_others_may_read_is_not_used() throws IOException {
        Cli.run("context", "set", "shop", "--db", h2("shop"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        var refused = Cli.run("outbox", "stats");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("chmod 600 " + file);
    }

    @Test
    void wrong_input_is_said_in_one_line() throws IOException {
        assertThat(Cli.run("context", "set", "a b", "--db", h2("shop")).err()).contains("The name 'a b' must have");
        assertThat(Cli.run("context", "set", "shop", "--db", "pigeon://coop").exitCode())
                .isEqualTo(2);
        assertThat(Cli.run("context", "set", "shop").exitCode()).isEqualTo(2);
        assertThat(Cli.run("context", "set", "shop", "--db", h2("shop"), "--password-file", "/nowhere")
                        .err())
                .contains("/nowhere cannot be read");
        Cli.run("context", "set", "shop", "--db", h2("shop"));
        assertThat(Cli.run("outbox", "stats", "--db", h2("shop"), "--context", "shop")
                        .err())
                .contains("leave one of them out");
        assertThat(Cli.run("outbox", "stats", "--context", "nobody").err()).contains("Saved are shop.");
        Files.writeString(file, "current: [");
        assertThat(Cli.run("outbox", "stats").err()).contains("Could not read the saved contexts");
    }

    @Test
    void a_shell_can_complete_every_command() {
        List<String> lines = Cli.run("completion").out().lines().toList();

        assertThat(lines.get(0)).isEqualTo("#!/usr/bin/env bash");
        assertThat(lines.stream().filter(line -> line.startsWith("function _picocli_waybill_")))
                .contains("function _picocli_waybill_outbox_tail() {", "function _picocli_waybill_doctor() {");
    }

    private String h2(String name) {
        return "jdbc:h2:" + directory.resolve(name) + ";USER=sa";
    }

    private static Cli withInput(String text, String... arguments) {
        InputStream usual = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            return Cli.run(arguments);
        } finally {
            System.setIn(usual);
        }
    }
}
