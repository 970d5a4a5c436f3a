package io.waybill.micronaut;

import io.waybill.testkit.contract.FrameworkContract;
import io.waybill.testkit.contract.FrameworkFixture;
import io.waybill.testkit.services.Postgres;
import java.util.Map;

/** On a pool whose connections do not commit by themselves. */
final class PostgresFrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new MicronautFixture(Postgres.shared().newDatabase(), Map.of("datasources.default.auto-commit", false));
    }
}
