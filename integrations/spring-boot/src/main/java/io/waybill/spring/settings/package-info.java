/**
 * Settings under {@code waybill}, and what is wrong with them.
 *
 * <p>{@link io.waybill.spring.settings.WaybillProperties} is bound by Spring Boot, {@link
 * io.waybill.spring.settings.SpringSettings} is what an instance uses; {@link io.waybill.spring.settings.SpringProblems}
 * collects every problem so that they are reported at once.
 */
@NullMarked
package io.waybill.spring.settings;

import org.jspecify.annotations.NullMarked;
