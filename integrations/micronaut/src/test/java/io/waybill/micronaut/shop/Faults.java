package io.waybill.micronaut.shop;

import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Fails inside the transaction of its caller. */
@Singleton
public class Faults {

    @Transactional
    public void fail() {
        throw new IllegalStateException("a part failed");
    }
}
