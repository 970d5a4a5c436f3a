package io.waybill.server;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A wrong command line gets one line that says what is wrong, and where help is. */
final class UsageErrors implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException error, String[] arguments) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getColorScheme().errorText("waybill: " + error.getMessage()));
        if (!UnmatchedArgumentException.printSuggestions(error, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
