package io.waybill.server.failed;

import io.waybill.server.cli.MessageOptions;
import io.waybill.server.cli.UsageErrors;
import io.waybill.store.failed.FailedSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which failed messages a command is about: those that match all that is given. */
final class FailedSelectionOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--id", paramLabel = "ID", description = "This message; may be given several times.")
    private List<Long> ids = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            defaultValue = "",
            description = "Messages of this group, or of the groups that start with it.")
    private String group = "";

    @Option(
            names = "--from",
            paramLabel = "SOURCE",
            defaultValue = "",
            description = "Messages from this topic or queue.")
    private String source = "";

    @Option(
            names = "--handler",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Messages that this handler could not handle.")
    private String handler = "";

    @Option(names = "--retried", description = "Messages that failed again after somebody had retried them.")
    private boolean retried;

    @Mixin
    private MessageOptions message = new MessageOptions();

    FailedSelection selection() {
        return UsageErrors.checked(
                spec,
                () -> new FailedSelection(
                        Set.copyOf(ids),
                        group,
                        source,
                        handler,
                        message.type(),
                        message.key(),
                        message.error(),
                        retried));
    }
}
