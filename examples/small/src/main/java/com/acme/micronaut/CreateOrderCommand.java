package com.acme.micronaut;

import io.waybill.command.DomainCommand;

public record CreateOrderCommand(String id, String customer) implements DomainCommand {}
