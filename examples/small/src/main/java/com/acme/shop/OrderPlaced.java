package com.acme.shop;

import io.waybill.message.MessageType;

@MessageType("OrderPlaced")
public record OrderPlaced(String orderId) {}
