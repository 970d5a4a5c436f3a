package io.waybill.transport;

import java.util.Set;

/** Opens transports by URL. Found with {@link java.util.ServiceLoader}: a module on the class path is enough. */
public interface TransportProvider {

    /** The schemes it is for: {@code kafka}, {@code jms+artemis}. */
    Set<String> schemes();

    /** Opens the transport, or says what is wrong with the URL. Does not wait for the broker. */
    Transport open(TransportUrl url);
}
