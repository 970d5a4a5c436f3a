package io.waybill.server.cli;

import io.waybill.server.output.PlainText;
import io.waybill.transport.SecretMask;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A wrong command line gets one line that says what is wrong, and where help is. */
public final class UsageErrors implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException error, String[] arguments) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(PlainText.shown("waybill: " + message(error)));
        boolean misspelt = error instanceof UnmatchedArgumentException unmatched
                && unmatched.getUnmatched().stream()
                        .allMatch(argument -> SecretMask.name(argument).equals(argument));
        if (!misspelt || !UnmatchedArgumentException.printSuggestions(error, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** What nobody knows may be the value of an option that was misspelt: only names are repeated. */
    private static String message(ParameterException error) {
        if (!(error instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(error.getMessage());
        }
        List<String> options = unmatched.getUnmatched().stream()
                .filter(argument -> argument.startsWith("-"))
                .map(argument -> argument.replaceFirst("=.*", ""))
                .toList();
        return options.isEmpty()
                ? "There is an argument that this command does not take: "
                        + unmatched.getUnmatched().stream()
                                .map(SecretMask::name)
                                .collect(Collectors.joining(", ")) + "."
                : "Unknown option: " + String.join(", ", options);
    }
}
