package io.waybill.command;

import io.waybill.WaybillException;

/** The type names of commands: the class name without the {@code Command} at the end. */
public final class CommandTypes {

    private static final String SUFFIX = "Command";

    private CommandTypes() {}

    /** {@code CreateOrder} for {@code CreateOrderCommand}. A class that is not named like this is refused. */
    public static String of(Class<? extends DomainCommand> command) {
        String name = command.getSimpleName();
        if (!name.endsWith(SUFFIX) || name.length() == SUFFIX.length()) {
            throw new WaybillException("The name of a command class is its type followed by 'Command', such as"
                    + " CreateOrderCommand for the type CreateOrder, but " + command.getName()
                    + " is not named like this. Rename it to " + name + "Command.");
        }
        return name.substring(0, name.length() - SUFFIX.length());
    }
}
