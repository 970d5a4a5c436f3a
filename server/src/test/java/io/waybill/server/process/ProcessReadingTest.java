package io.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.DomainCommand;
import io.waybill.message.Message;
import io.waybill.message.PayloadCodec;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.HouseProcess;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** What a person reads of a process on the command line, and how it is found. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessReadingTest {

    @TempDir
    Path directory;

    private TestDatabase database;
    private HikariDataSource pool;
    private Waybill application;
    private String url;

    /** Asks what the guest wants. */
    public record PlanCommand(String guest) implements DomainCommand {}

    /** Adds the prices up. */
    public record SumCommand(String guest) implements DomainCommand {}

    /** Looks for a room. */
    public record RoomCommand(String guest) implements DomainCommand {}

    /** Looks for a flight. */
    public record FlightCommand(String guest) implements DomainCommand {}

    /** Room and flight at once, then a signal. */
    static final class Journey implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Journey";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(PlanCommand.class)
                    .thenParallel()
                    .branch(RoomCommand.class)
                    .branch(FlightCommand.class)
                    .joinAt(SumCommand.class)
                    .thenWaitFor("Paid")
                    .end();
        }
    }

    /** Who finds rooms and flights. */
    public static final class Agency {
        public void plan(PlanCommand command) {}

        public void sum(SumCommand command) {}

        public void room(RoomCommand command) {}

        public void flight(FlightCommand command) {}
    }

    @SuppressWarnings("NullAway.Init")
    ProcessReadingTest() {}

    @BeforeAll
    void start() {
        database = Postgres.shared().newDatabase();
        url = database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        pool = new HikariDataSource(config);
        application = Waybill.on(pool)
                .handlers(new HouseProcess.Builders(), new Agency())
                .processes(new HouseProcess(), new Journey())
                .start();
    }

    @AfterAll
    void stop() {
        application.close();
        pool.close();
        database.close();
    }

    @Test
    void a_blocked_compensation_is_shown_and_explained_in_sentences() {
        UUID id = application.processManager().startProcess("House", "villa", Map.of("house", "villa", "colour", ""));
        application.processManager().signal("House", "villa", "Colour", Map.of());
        awaitStatus(id, ProcessStatus.FAILED);

        var show = Cli.run("process", "show", "--db", url, "villa");
        var explain = Cli.run("process", "explain", "--db", url, "villa");

        assertThat(show.out())
                .contains("process    " + id, "key        villa", "\"house\":\"villa\"")
                .contains("Build was sent.", "Build is done.", "Paint failed: ", "no colour")
                .contains("PullDown was sent to compensate Build.", "PullDown failed to compensate Build: ")
                .contains("it is blocked until an operator acts.")
                .doesNotContain("[", "StepStarted", "number=");
        assertThat(explain.out())
                .startsWith("House villa is FAILED since ")
                .contains("Build is blocked since ", "PullDown failed 1 time", "no crane")
                .contains("Retry, skip or resolve it.")
                .doesNotContain("version 1", "node", "as a process");
        Path svg = directory.resolve("villa.svg");
        assertThat(Cli.run("process", "graph", "--db", url, "villa", "--svg", svg.toString())
                        .exitCode())
                .isZero();
        assertThat(svg).content().contains(">compensation blocked<", ">failed<").doesNotContain("x=\"-");
        assertThat(Cli.run("process", "show", "--db", url, "villa", "-o", "ndjson")
                        .out())
                .contains("\"event\":\"CompensationStepFailed\"", "\"step\":\"Build\"");
    }

    @Test
    void a_process_is_found_by_its_key_and_by_the_beginning_of_its_id() {
        UUID barn = application.processManager().startProcess("House", "barn", Map.of("house", "", "colour", "red"));
        UUID shed = application.processManager().startProcess("House", "shed", Map.of("house", "", "colour", "red"));

        assertThat(Cli.run("process", "explain", "--db", url, "barn").out()).startsWith("House barn");
        assertThat(Cli.run("process", "explain", "--db", url, shed.toString()).out())
                .startsWith("House shed");
        assertThat(Cli.run("process", "explain", "--db", url, shed.toString().substring(0, 30))
                        .out())
                .startsWith("House shed");

        var ambiguous = Cli.run("process", "show", "--db", url, barn.toString().substring(0, 3));
        assertThat(ambiguous.exitCode()).isEqualTo(1);
        assertThat(ambiguous.err())
                .contains("give more of the id:", barn + "  House barn", shed + "  House shed")
                .doesNotContain("Exception");
        var nobody = Cli.run("process", "show", "--db", url, "castle");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("There is no process castle", "waybill process list");
    }

    @Test
    void a_message_is_found_by_its_key_and_by_the_beginning_of_its_id() {
        UUID first = append("unserved", "first");
        UUID second = append("unserved", "second");

        assertThat(Cli.run("outbox", "show", "--db", url, "first").out()).contains("message     " + first);
        assertThat(Cli.run("outbox", "show", "--db", url, second.toString().substring(0, 34))
                        .out())
                .contains("message     " + second);
        var ambiguous = Cli.run("outbox", "show", "--db", url, first.toString().substring(0, 3));
        assertThat(ambiguous.exitCode()).isEqualTo(1);
        assertThat(ambiguous.err()).contains("give more of the id:", first.toString(), second.toString());
        assertThat(Cli.run("outbox", "show", "--db", url, "third").err()).contains("There is no message third");
    }

    @Test
    void a_process_is_drawn_with_the_state_of_each_step_as_a_word_and_without_network() throws Exception {
        UUID id = application.processManager().startProcess("Journey", "<Ann & Bob>", Map.of("guest", "Ann"));
        Eventually.is(() -> assertThat(Cli.run("process", "explain", "--db", url, id.toString())
                        .out())
                .contains("Paid waits for a signal"));
        Path svg = directory.resolve("journey.svg");
        Path html = directory.resolve("journey.html");

        var drawn = Cli.run(
                "process", "graph", "--db", url, id.toString(), "--svg", svg.toString(), "--html", html.toString());

        assertThat(drawn.out()).contains("Drawn to " + svg, "Drawn to " + html);
        String picture = Files.readString(svg);
        var factory = DocumentBuilderFactory.newInstance();
        var texts = factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture)))
                .getElementsByTagName("text");
        var words = new StringBuilder();
        for (int i = 0; i < texts.getLength(); i++) {
            words.append(texts.item(i).getTextContent()).append('\n');
        }
        assertThat(words.toString())
                .containsSubsequence(
                        "Journey <Ann & Bob>\n",
                        "all of\ncompleted\n",
                        "Room\ncompleted\n",
                        "Flight\ncompleted\n",
                        "join\n",
                        "Sum\ncompleted\n",
                        "Paid\nrunning\n",
                        "running\n");
        assertThat(picture).as("every box is inside").doesNotContain("x=\"-");
        assertThat(Files.readString(html))
                .contains("<svg", "Paid waits for a signal", "Room is done", "&lt;Ann &amp; Bob&gt;")
                .doesNotContain("<script", "href=", "src=", "url(http");
    }

    private UUID append(String destination, String key) {
        return application
                .transactions()
                .inTransaction(transaction -> application
                        .outbox()
                        .append(Message.event("Note", "{}").to(destination).inOrderOf(key)));
    }

    private void awaitStatus(UUID id, ProcessStatus status) {
        Eventually.is(() -> assertThat(application
                        .store()
                        .processStore(PayloadCodec.found())
                        .findById(id)
                        .orElseThrow()
                        .status())
                .isEqualTo(status));
    }
}
