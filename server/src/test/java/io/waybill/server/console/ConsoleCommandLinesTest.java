package io.waybill.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.server.Main;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every command line that the console offers to copy is one that the program takes. */
class ConsoleCommandLinesTest {

    private static final List<String> PAGES = List.of(
            "overview.js",
            "failures.js",
            "messages.js",
            "scheduled.js",
            "processes.js",
            "process.js",
            "submit.js",
            "system.js");
    private static final Pattern CALL = Pattern.compile("command\\('([a-z ]+)'( \\+ [^,)]*\\)?)?(?:, \\{([^}]*)})?");
    private static final Pattern OPTION = Pattern.compile("(?:^|, )\\s*(?:'([a-z-]+)'|([a-z]+))(?=\\s*[:,]|\\s*$)");
    private static final Pattern COMMAND = Pattern.compile("\"command\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** What a page puts behind the beginning of a command, by that beginning and whether options follow. */
    private static final Map<String, List<String>> VERBS = Map.of(
            "process { ", List.of("retry", "skip", "resolve"),
            "process ", List.of("pause", "resume"),
            "failed { ", List.of("retry", "discard"),
            "outbox { ", List.of("replay", "discard"),
            "failed edit { ", List.of(""));

    /** What a page adds to each: the database, where the console has several, and the reason. */
    private static final List<String> EVERY_CHANGE = List.of("context", "reason");

    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final Console console = new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "h2", store))));

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void the_commands_of_the_pages_exist_with_their_options() throws IOException {
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (String page : PAGES) {
            for (MatchResult call : CALL.matcher(text(page)).results().toList()) {
                found++;
                String begin = call.group(1) + (call.group(3) == null ? "" : "{ ");
                List<String> verbs = call.group(2) == null ? List.of("") : VERBS.getOrDefault(begin, List.of());
                assertThat(verbs).as(page + " " + call.group()).isNotEmpty();
                List<String> options = Stream.concat(EVERY_CHANGE.stream(), options(call.group(3)).stream())
                        .toList();
                verbs.forEach(verb -> wrong.addAll(unknown(call.group(1) + verb, options)));
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(found).isGreaterThan(12);
    }

    @Test
    void the_command_lines_of_changes_are_complete() {
        UUID id = UUID.randomUUID();
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Reminder", "{}")
                                .to("mails")
                                .id(id)
                                .after(Duration.ofHours(1))));
        Stream.of(
                        post(
                                "/commands",
                                "{'type':'Book','idempotencyKey':'-1 of it\\u0027s','businessKey':'trip-1','queue':'APP.CMD.BOOK.Q','reason':'x'}"),
                        post("/scheduled/" + id + "/publish", "{'reason':'x'}"),
                        post(
                                "/scheduled/discard",
                                "{'filter':{'ids':['" + id
                                        + "'],'key':'-a b','type':'T','destination':'d'},'reason':'x'}"),
                        post("/scheduled/discard", "{'filter':{'all':true},'reason':'x'}"),
                        post("/messages/discard", "{'filter':{'destination':'mails','key':'a b'},'reason':'x'}"),
                        post("/messages/discard", "{'filter':{'errorGroup':'(no error)'},'reason':'x'}"),
                        post("/messages/replay", "{'filter':{'errorGroup':'--no \\u0027x','key':'#1'},'reason':'x'}"),
                        post("/failures/retry", "{'filter':{'group':'ab12'},'reason':'x'}"))
                .forEach(line -> Main.commandLine().parseArgs(words(line + " --reason why")));
    }

    private String post(String path, String body) {
        var response = console.answer(ConsoleRequest.of("POST", "/api/databases/shop" + path)
                .by(new Identity("ann", Role.OPERATOR))
                .body(body.replace('\'', '"')));
        String json = response.body().asText();
        assertThat(response.status()).as(json).isEqualTo(200);
        var command = COMMAND.matcher(json);
        assertThat(command.find()).as(json).isTrue();
        return command.group(1).replace("\\\\", "\\");
    }

    /** As a shell divides it. */
    private static String[] words(String line) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == '\\' && !quoted) {
                word.append(line.charAt(++i));
            } else if (c == ' ' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        assertThat(words.remove(0)).isEqualTo("waybill");
        return words.toArray(String[]::new);
    }

    private static List<String> options(String object) {
        return object == null
                ? List.of()
                : OPTION.matcher(object.strip())
                        .results()
                        .map(option -> option.group(1) == null ? option.group(2) : option.group(1))
                        .toList();
    }

    private static List<String> unknown(String command, List<String> options) {
        CommandLine at = Main.commandLine();
        for (String word : command.strip().split(" ", -1)) {
            at = at.getSubcommands().get(word);
            if (at == null) {
                return List.of("there is no command " + command);
            }
        }
        CommandLine found = at;
        return options.stream()
                .filter(option -> found.getCommandSpec().findOption("--" + option) == null)
                .map(option -> command + " has no option --" + option)
                .toList();
    }

    private static String text(String page) throws IOException {
        try (InputStream file = Console.class.getResourceAsStream("web/" + page)) {
            return new String(file.readAllBytes(), UTF_8);
        }
    }
}
