package io.waybill.micronaut.framework;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.waybill.testkit.contract.framework.FrameworkFixture.Clerk;
import io.waybill.testkit.contract.framework.FrameworkFixture.Filing;
import jakarta.inject.Singleton;

/** The handler and the process of the contract. */
@Factory
@Requires(property = "spec", value = "framework")
final class Beans {

    @Singleton
    Clerk clerk() {
        return new Clerk();
    }

    @Singleton
    Filing filing() {
        return new Filing();
    }
}
