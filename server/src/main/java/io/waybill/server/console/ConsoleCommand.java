package io.waybill.server.console;

import io.waybill.WaybillException;
import io.waybill.console.security.PasswordHash;
import io.waybill.server.cli.Shutdown;
import io.waybill.server.cli.Terminal;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.config.ConsoleSettings;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.console.ConsoleService.Named;
import io.waybill.server.database.DatabaseOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "console",
        description = {
            "Serve the web console and the admin API until Ctrl-C.",
            "",
            "Without --users it listens on this machine only, and every local user may do everything. With"
                    + " --users people log in, and programs send a bearer token."
        },
        mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--contexts",
            paramLabel = "NAME",
            split = ",",
            description = "Several saved databases, instead of --db: shop,billing ('waybill context list').")
    private List<String> contexts = List.of();

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            defaultValue = "8686",
            description =
                    "The address to listen on (8686), on this machine only unless you give a host (0.0.0.0 for all).")
    private String listen = "8686";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = "The users, one line each: name:role:hash; roles are viewer, operator and admin.")
    private @Nullable Path users;

    @Option(names = "--read-only", description = "Refuse all changes.")
    private boolean readOnly;

    @Option(
            names = "--mask",
            paramLabel = "REGEX",
            description = "Also hide the values of fields and headers with such a name; '*' hides every payload.")
    private List<String> masks = List.of();

    @Mixin
    private ProxyOptions proxies = new ProxyOptions();

    @Override
    public Integer call() {
        InetSocketAddress address = UsageErrors.checked(spec, "--listen", () -> ListenAddress.parse(listen));
        List<Named> named = contexts.isEmpty()
                ? List.of(new Named(
                        "default", database.database(), database.storeOptions().prefix()))
                : UsageErrors.checked(
                        spec,
                        "--contexts",
                        () -> contexts.stream()
                                .map(DatabaseOptions::saved)
                                .map(saved -> new Named(saved.name(), saved.url(), saved.prefix()))
                                .toList());
        var options = new ConsoleSettings(address, Optional.ofNullable(users), readOnly, masks, proxies.checked(spec));
        var shutdown = Shutdown.hook();
        try (var service = ConsoleService.start(named, options)) {
            var err = spec.commandLine().getErr();
            err.println("waybill: the console is at " + service.url() + "; Ctrl-C ends it.");
            err.flush();
            shutdown.await();
        } finally {
            shutdown.ended();
        }
        return 0;
    }

    @Command(
            name = "hash",
            description = {
                "Print the hash of a password for the file of --users. It asks for the password, or reads it from"
                        + " standard input.",
                "With --token it creates a bearer token, and prints the token and its hash."
            },
            mixinStandardHelpOptions = true)
    int hash(@Option(names = "--token", description = "Create a bearer token.") boolean token) throws IOException {
        var out = spec.commandLine().getOut();
        if (token) {
            String made = PasswordHash.randomToken();
            out.println("token  " + made);
            out.println("hash   " + PasswordHash.ofToken(made));
        } else {
            out.println(PasswordHash.ofPassword(password()));
        }
        out.flush();
        return 0;
    }

    private static String password() throws IOException {
        String password = Terminal.secret("Password: ", StandardCharsets.UTF_8);
        if (password.isEmpty()) {
            throw new WaybillException("There is no password in the input.");
        }
        return password;
    }
}
