package io.waybill.it.command;

class InProcessCommandsTest extends CommandsAnywhereContract {}
