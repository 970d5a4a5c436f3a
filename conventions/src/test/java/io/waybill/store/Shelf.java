package io.waybill.store;

/** Stands for a type of a store, for the tests of the rules. */
public final class Shelf {}
