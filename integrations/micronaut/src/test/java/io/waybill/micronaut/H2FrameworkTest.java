package io.waybill.micronaut;

import io.waybill.testkit.contract.framework.FrameworkContract;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.H2;
import java.util.Map;

/** With the defaults of Micronaut. */
final class H2FrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new MicronautFixture(H2.newDatabase(), Map.of());
    }
}
