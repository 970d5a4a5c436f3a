package io.waybill.spring;

import io.waybill.testkit.contract.framework.FrameworkContract;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.database.Postgres;

/** JPA, on a pool whose connections do not commit by themselves, as Hibernate recommends it. */
final class JpaFrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new SpringFixture(Postgres.shared().newDatabase(), "spring.datasource.hikari.auto-commit=false");
    }
}
