package io.waybill.jdbc;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** With -Pfull: PostgreSQL, where every optimisation is active, is tested without them in every build. */
@EnabledIfSystemProperty(named = "waybill.plain.way.everywhere", matches = "true")
@ExtendWith(PlainWay.class)
class H2StorePlainWayTest extends H2StoreTest {}
