package io.waybill.spring.beans;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says on which data source the handlers, subscribers, process, customizer or event of this class work, where Waybill has several; on a
 * {@code @Bean} method it says so for that bean. Without it they work on the primary one.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDataSource {

    /** The name of its bean, as in {@code waybill.data-sources.<name>}. */
    String value();
}
