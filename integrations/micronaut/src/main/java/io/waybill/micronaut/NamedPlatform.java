package io.waybill.micronaut;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;

/** A data source that has an instance of its own: {@code waybill.data-sources.<name>}. */
@EachProperty("waybill.data-sources")
final class NamedPlatform {

    private final String name;

    NamedPlatform(@Parameter String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}
