/**
 * Payloads from objects and back: {@link io.waybill.jackson.JacksonCodec}. To be on the class path is enough.
 */
@NullMarked
package io.waybill.jackson;

import org.jspecify.annotations.NullMarked;
