package com.acme.shop;

import io.waybill.message.MessageType;
import io.waybill.spring.AppendTo;

@MessageType("OrderCancelled")
@AppendTo(value = "orders.cancelled", inOrderOf = "orderId")
public record OrderCancelled(String orderId) {}
