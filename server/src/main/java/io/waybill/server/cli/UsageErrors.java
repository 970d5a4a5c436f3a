package io.waybill.server.cli;

import io.waybill.WaybillException;
import io.waybill.message.text.NearestName;
import io.waybill.server.output.PlainText;
import io.waybill.transport.SecretMask;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A wrong command line gets one line that says what is wrong, and where help is. */
public final class UsageErrors implements IParameterExceptionHandler {

    /** The value that options of this command describe; one that cannot be understood is a mistake of the command line. */
    public static <T> T checked(CommandSpec spec, Supplier<T> value) {
        return checked(spec, "", value);
    }

    /** The same, with the name of the option before what is wrong with it. */
    public static <T> T checked(CommandSpec spec, String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (WaybillException e) {
            throw new ParameterException(
                    spec.commandLine(), (option.isEmpty() ? "" : option + ": ") + e.getMessage(), e);
        }
    }

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
                : options.stream()
                        .map(option -> "Unknown option: " + option + didYouMean(option, error.getCommandLine()))
                        .collect(Collectors.joining(" "));
    }

    private static String didYouMean(String option, CommandLine command) {
        return NearestName.to(option, command.getCommandSpec().optionsMap().keySet())
                .map(nearest -> ". Did you mean '" + nearest + "'?")
                .orElse("");
    }
}
