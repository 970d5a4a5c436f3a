/**
 * What services share: free ports, child processes, temporary directories, a TCP proxy that cuts connections.
 *
 * <p>{@link io.waybill.testkit.services.host.TcpProxy}.
 */
@NullMarked
package io.waybill.testkit.services.host;

import org.jspecify.annotations.NullMarked;
