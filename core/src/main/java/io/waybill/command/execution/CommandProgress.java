package io.waybill.command.execution;

import io.waybill.command.store.CommandStore;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.route.Routes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes of commands that they went to a broker, or were refused and wait for another attempt. It is a note: nothing depends on it. */
final class CommandProgress implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(CommandProgress.class);

    private final CommandStore store;
    private final Routes routes;

    CommandProgress(CommandStore store, Routes routes) {
        this.store = store;
        this.routes = routes;
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        note(messages.stream()
                .filter(message -> routes.leadToABroker(message.destination()) && isCommand(message))
                .toList());
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        if (isCommand(message)) {
            note(List.of(message));
        }
    }

    private static boolean isCommand(Envelope message) {
        return message.category() == Category.COMMAND && CommandMessage.isReadable(message);
    }

    private void note(List<Envelope> commands) {
        if (commands.isEmpty()) {
            return;
        }
        List<UUID> ids = commands.stream()
                .map(message -> CommandMessage.read(message).commandId())
                .toList();
        try {
            store.processing(ids);
        } catch (RuntimeException e) {
            log.warn(
                    "WB-507 {} commands are in progress, but their status still says PENDING: {}",
                    ids.size(),
                    e.toString());
            log.debug("WB-507", e);
        }
    }
}
