package io.waybill.spring;

import io.waybill.testkit.contract.framework.FrameworkContract;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.database.Postgres;

/** JDBC on a pool whose connections do not commit by themselves. */
final class PostgresFrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new SpringFixture(
                Postgres.shared().newDatabase(),
                SpringFixture.WITHOUT_JPA,
                "spring.datasource.hikari.auto-commit=false");
    }
}
