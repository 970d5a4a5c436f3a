package io.waybill.micronaut.shop;

import io.waybill.command.DomainCommand;

/** What the shop is told to do. */
public final class Commands {

    private Commands() {}

    /** Reserves stock. */
    public record ReserveStockCommand(String item, int amount) implements DomainCommand {}

    /** Gives stock back. */
    public record ReleaseStockCommand(String item, int amount) implements DomainCommand {}

    /** Takes money. */
    public record ChargeCardCommand(String item, int amount) implements DomainCommand {}

    /** Hides that a part of it failed. */
    public record HideFailureCommand(String item) implements DomainCommand {}

    /** Fails at first, in a way that goes away. */
    public record HesitateCommand(String item) implements DomainCommand {}
}
