package io.waybill.benchmarks;

import java.util.concurrent.Callable;

/** One of the things that are compared: what it is called, and how to take one measurement of it. */
record Variant<T>(String name, Callable<T> measurement) {}
