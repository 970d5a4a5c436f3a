package io.waybill.spring;

import io.waybill.testkit.contract.framework.FrameworkContract;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.H2;

/** JDBC with the defaults of Spring Boot. */
final class H2FrameworkTest extends FrameworkContract {

    @Override
    protected FrameworkFixture start() {
        return new SpringFixture(H2.newDatabase(), SpringFixture.WITHOUT_JPA);
    }
}
