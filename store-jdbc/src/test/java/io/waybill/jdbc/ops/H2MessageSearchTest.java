package io.waybill.jdbc.ops;

import io.waybill.testkit.services.H2;

class H2MessageSearchTest extends MessageSearchContract {
    H2MessageSearchTest() {
        super(H2.newDatabase());
    }
}
