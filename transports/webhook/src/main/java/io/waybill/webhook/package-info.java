/**
 * Messages as webhooks: one signed POST each.
 *
 * <p>In reading order: {@link io.waybill.webhook.Webhooks} is the transport, opened by {@link
 * io.waybill.webhook.WebhookProvider} from a URL; {@code Endpoints} finds the {@code Endpoint} of a destination; {@code Round}
 * sends one batch, many keys at once; {@code Secrets} and {@code RequestHeaders} make the request, {@code AddressGuard} says
 * where it may go; {@code Answer} reads what comes back, and {@code Meaning} says what follows from it.
 */
@NullMarked
package io.waybill.webhook;

import org.jspecify.annotations.NullMarked;
