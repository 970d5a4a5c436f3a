package io.waybill.micronaut.shop;

import io.waybill.micronaut.shop.Commands.ChargeCardCommand;
import io.waybill.micronaut.shop.Commands.ReleaseStockCommand;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;

/** Stock, then money. */
@Singleton
public class Purchase implements ProcessConfiguration {

    @Override
    public String getProcessType() {
        return "Purchase";
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(ReserveStockCommand.class)
                .withCompensation(ReleaseStockCommand.class)
                .then(ChargeCardCommand.class)
                .end();
    }
}
