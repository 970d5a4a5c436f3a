/**
 * Claims and settles rows of an adopted table.
 *
 * <p>{@code LayoutStore} is its outbox store; {@code RowClaims} marks claimed rows where other workers must see it.
 */
@NullMarked
package io.waybill.jdbc.layout.claim;

import org.jspecify.annotations.NullMarked;
