package com.acme.shop;

import static io.waybill.command.IdempotencyKey.idempotencyKey;

import io.waybill.command.CommandBus;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.CommandLineRunner;
import org.springframework.stereotype.Component;

@Component
public class Reservations implements CommandLineRunner {
    private final CommandBus commandBus;

    Reservations(CommandBus commandBus) {
        this.commandBus = commandBus;
    }

    @Override
    public void run(String... args) {
        Map<?, ?> reply = commandBus
                .send(new ReserveCommand("o-1", 2), idempotencyKey("o-1"))
                .await(Duration.ofSeconds(5))
                .as(Map.class);
        System.out.println("Reserved: " + reply.get("reserved"));
    }
}
