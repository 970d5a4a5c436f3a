/** The OpenAPI document of the admin API, made of its table of routes: {@link io.waybill.console.openapi.OpenApi}. */
@NullMarked
package io.waybill.console.openapi;

import org.jspecify.annotations.NullMarked;
