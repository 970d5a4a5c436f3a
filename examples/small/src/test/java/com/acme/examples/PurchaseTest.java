package com.acme.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.examples.CompensatedProcess.ChargeCardCommand;
import com.acme.examples.CompensatedProcess.Purchase;
import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.ProcessTestKit;
import io.waybill.testkit.process.simulation.ProcessSimulator;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a process is tested with the testkit. */
final class PurchaseTest {

    private final Map<String, Object> data = Map.of("item", "book", "card", "card-1", "amount", 30);
    private final Handlers handlers = Handlers.none().on(ChargeCardCommand.class, card -> Map.of("charged", true));

    @Test
    void a_refused_card_gives_the_stock_back() {
        var run = ProcessTestKit.run(new Purchase(), handlers).start("purchase-1", data);
        run.whenStep("ChargeCard").fails("CardRefused");
        run.toTheEnd();
        assertThat(run).isCompensated().ran("ReserveStock", "ChargeCard", "ReleaseStock");
    }

    @Test
    void survives_everything() {
        ProcessSimulator.of(new Purchase(), handlers).checkAllPaths();
    }
}
