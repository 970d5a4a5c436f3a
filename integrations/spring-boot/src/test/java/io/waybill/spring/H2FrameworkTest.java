package io.waybill.spring;

import io.waybill.testkit.contract.FrameworkContract;
import io.waybill.testkit.contract.FrameworkFixture;
import io.waybill.testkit.services.H2;

/** JDBC with the defaults of Spring Boot. */
final class H2FrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new SpringFixture(H2.newDatabase(), SpringFixture.WITHOUT_JPA);
    }
}
