package io.waybill.micronaut;

import io.waybill.testkit.contract.framework.FrameworkContract;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.database.Postgres;
import java.util.Map;

/** On a pool whose connections do not commit by themselves. */
final class PostgresFrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new MicronautFixture(Postgres.shared().newDatabase(), Map.of("datasources.default.auto-commit", false));
    }
}
