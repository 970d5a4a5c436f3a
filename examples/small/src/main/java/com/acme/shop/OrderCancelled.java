package com.acme.shop;

import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;

@MessageType("OrderCancelled")
@AppendTo(value = "orders.cancelled", inOrderOf = "orderId")
public record OrderCancelled(String orderId) {}
