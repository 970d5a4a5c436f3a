package com.acme.micronaut;

import io.waybill.message.MessageType;

@MessageType("OrderPlaced")
public record Order(String id, String customer) {}
