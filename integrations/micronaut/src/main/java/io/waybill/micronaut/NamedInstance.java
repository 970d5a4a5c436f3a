package io.waybill.micronaut;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;

/** A data source that has an instance of its own: {@code waybill.data-sources.<name>}. */
@EachProperty("waybill.data-sources")
final class NamedInstance {

    private final String name;

    NamedInstance(@Parameter String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}
