package io.waybill.micronaut;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says on which data source the handlers, subscribers or process of this class work, where Waybill has several. Without it they work on
 * the one that {@code waybill.data-source} names, or {@code default}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDataSource {

    /** Its name, as in {@code datasources.<name>}. */
    String value();
}
