package io.waybill.jdbc;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PlainWay.class)
class PostgresStorePlainWayTest extends PostgresStoreTest {}
