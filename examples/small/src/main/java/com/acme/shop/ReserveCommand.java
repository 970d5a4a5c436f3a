package com.acme.shop;

import io.waybill.command.DomainCommand;

public record ReserveCommand(String order, int amount) implements DomainCommand {}
