/** An application on virtual threads. */
@NullMarked
package io.waybill.spring.thread;

import org.jspecify.annotations.NullMarked;
