package io.waybill.it;

class InProcessCommandsTest extends CommandsAnywhereContract {}
