package io.waybill.benchmarks.harness;

import java.util.concurrent.Callable;

/** One of the things that are compared: what it is called, and how to take one measurement of it. */
public record Variant<T>(String name, Callable<T> measurement) {}
