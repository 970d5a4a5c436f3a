package io.waybill.runtime.process;

import io.waybill.jdbc.PlainWay;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PlainWay.class)
final class PostgresProcessesPlainWayTest extends PostgresProcessesTest {}
