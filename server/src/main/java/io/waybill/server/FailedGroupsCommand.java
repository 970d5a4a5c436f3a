package io.waybill.server;

import io.waybill.store.FailureGroup;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "groups",
        description = "Failed messages by what is wrong with them, the most frequent first.",
        mixinStandardHelpOptions = true)
final class FailedGroupsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var selection = selected.selection();
        List<FailureGroup> groups = database.use(store -> store.failedMessages().groups(selection));
        if (groups.isEmpty() && !output.isJson()) {
            spec.commandLine().getOut().println("No failed messages.");
            return 0;
        }
        Instant now = Clock.systemUTC().instant();
        boolean json = output.isJson();
        var answer = new Answer("group", "count", "error", "from", "handler", json ? "first" : "since", "last");
        groups.forEach(group -> answer.add(
                group.fingerprint(),
                group.count(),
                group.kind(),
                group.source(),
                group.handler(),
                json ? group.first() : Ages.words(Ages.of(group.first(), now)),
                json ? group.last() : Ages.words(Ages.of(group.last(), now)) + " ago"));
        output.print(answer, spec.commandLine().getOut());
        return 0;
    }
}
