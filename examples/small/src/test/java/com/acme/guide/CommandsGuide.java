package com.acme.guide;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;

import com.acme.guide.Types.CreateOrderCommand;
import com.acme.guide.Types.Mailer;
import com.acme.guide.Types.OrderCreated;
import com.acme.guide.Types.Orders;
import io.waybill.runtime.Waybill;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** docs/commands.md. */
@SuppressWarnings("unused")
final class CommandsGuide {

    void send(DataSource dataSource, CreateOrderCommand command, Instant at) {
        var waybill = Waybill.on(dataSource)
                .handlers(new Mailer())
                .handlers(transactions -> new Orders(transactions))
                .start();

        waybill.commandBus().accept(command, idempotencyKey("request-7"), businessKey("customer-1"));
        waybill.commandBus().schedule(command, idempotencyKey("request-7"), businessKey("customer-1"), at);
        OrderCreated created = waybill.commandBus()
                .send(command, idempotencyKey("request-7"))
                .await(Duration.ofSeconds(5))
                .as(OrderCreated.class);
    }

    void overABroker(DataSource ours, DataSource theirs) {
        Waybill sender = Waybill.on(ours)
                .route("APP.CMD.*.Q", "kafka://broker:9092")
                .repliesFrom("kafka://broker:9092")
                .start();

        Waybill worker = Waybill.on(theirs)
                .handlers(new Orders())
                .commandsFrom("kafka://broker:9092")
                .route("APP.CMD.REPLY.Q", "kafka://broker:9092")
                .start();
    }
}
