/** An application that does everything a transaction allows, for the contract of frameworks. */
@org.jspecify.annotations.NullMarked
package io.waybill.micronaut.framework;
