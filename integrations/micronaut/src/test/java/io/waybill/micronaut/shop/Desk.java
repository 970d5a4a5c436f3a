package io.waybill.micronaut.shop;

import io.micronaut.http.annotation.Controller;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;

/** Takes commands from people; it is no handler of them. */
@Controller("/desk")
public class Desk {

    public String ask(ReserveStockCommand command) {
        return command.toString();
    }
}
