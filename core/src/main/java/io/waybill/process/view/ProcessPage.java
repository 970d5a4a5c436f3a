package io.waybill.process.view;

import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessState;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A process as one HTML page that needs nothing from elsewhere: what it waits for, its drawing, its log. */
public final class ProcessPage {

    @SuppressWarnings("InlineFormatString") // A page is read in one piece.
    private static final String TEMPLATE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>%s</title>
            <style>
            body { font-family: system-ui, sans-serif; margin: 2rem; color: #111827; }
            svg { max-width: 100%%; height: auto; }
            td { padding: 0.2rem 1rem 0.2rem 0; vertical-align: top; }
            td:first-child { font-family: ui-monospace, monospace; white-space: nowrap; }
            </style>
            </head>
            <body>
            <h1>%s</h1>
            <p>%s</p>
            %s
            <h2>Log</h2>
            <table>
            %s
            </table>
            </body>
            </html>
            """;

    private ProcessPage() {}

    public static String of(ProcessState state, List<LoggedEvent> log) {
        String title = ProcessSvg.escaped(state.processType() + " " + state.businessKey());
        String explanation = Explanation.ofStored(
                        state, log.stream().map(LoggedEvent::event).toList())
                .text();
        return String.format(
                Locale.ROOT, TEMPLATE, title, title, ProcessSvg.escaped(explanation), ProcessSvg.of(state), rows(log));
    }

    private static String rows(List<LoggedEvent> log) {
        return log.stream()
                .map(event -> "<tr><td>" + event.at() + "</td><td>"
                        + ProcessSvg.escaped(event.event().text()) + "</td></tr>")
                .collect(Collectors.joining("\n"));
    }
}
