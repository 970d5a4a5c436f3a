package io.waybill.micronaut.shop;

import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Takes messages: one method the payload, another the message with its headers. */
@Singleton
public class Post {

    private final Ledger ledger;

    Post(Ledger ledger) {
        this.ledger = ledger;
    }

    /** What is posted. */
    public record Posted(String who) {}

    /** Somebody was not sure. */
    @MessageType("Hesitated")
    @AppendTo(value = "shop.hesitated", inOrderOf = "item")
    public record Hesitated(String item) {}

    @SubscribeTo("shop.posted")
    @Transactional
    public void deliver(Posted posted) {
        ledger.write("posted", posted.who(), 0);
    }

    @SubscribeTo(value = "${shop.posted:shop.posted}", handler = "tenants")
    @Transactional
    public void count(Received<Posted> posted) {
        ledger.write("tenant", String.valueOf(posted.headers().get("tenant")), 0);
    }

    @SubscribeTo("shop.hesitated")
    @Transactional
    public void report(Hesitated hesitated) {
        ledger.write("reported", hesitated.item(), 0);
    }

    @SubscribeTo("shop.hesitated")
    @Transactional
    public void file(Hesitated hesitated) {
        ledger.write("filed", hesitated.item(), 0);
    }

    @SubscribeTo("shop.refused")
    @Transactional
    public void refuse(Posted posted) {
        ledger.write("refused", posted.who(), 0);
        throw new IllegalStateException("no letter box for " + posted.who());
    }
}
