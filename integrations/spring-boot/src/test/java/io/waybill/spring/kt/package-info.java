/** An application that is written in Kotlin. */
@NullMarked
package io.waybill.spring.kt;

import org.jspecify.annotations.NullMarked;
