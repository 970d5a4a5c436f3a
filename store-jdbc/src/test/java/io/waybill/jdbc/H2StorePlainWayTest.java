package io.waybill.jdbc;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PlainWay.class)
class H2StorePlainWayTest extends H2StoreTest {}
