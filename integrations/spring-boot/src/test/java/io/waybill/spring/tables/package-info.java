/** Tables that the migrations of an application make, and Waybill's beside them. */
@NullMarked
package io.waybill.spring.tables;

import org.jspecify.annotations.NullMarked;
