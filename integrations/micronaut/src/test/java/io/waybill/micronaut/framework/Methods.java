package io.waybill.micronaut.framework;

import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.annotation.Transactional;
import io.waybill.testkit.contract.framework.FrameworkFixture.Work;
import jakarta.inject.Singleton;

/** A transactional method of each kind. */
@Singleton
@Requires(property = "spec", value = "framework")
public class Methods {

    @Transactional
    public void required(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void requiresNew(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.NESTED)
    public void nested(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.MANDATORY)
    public void mandatory(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.SUPPORTS)
    public void supports(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    public void notSupported(Work work) throws Exception {
        work.run();
    }

    @Transactional(propagation = Propagation.NEVER)
    public void never(Work work) throws Exception {
        work.run();
    }

    @Transactional(readOnly = true)
    public void readOnly(Work work) throws Exception {
        work.run();
    }

    @Transactional(transactionManager = "another")
    public void onAnother(Work work) throws Exception {
        work.run();
    }
}
