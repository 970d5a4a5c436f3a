package io.waybill.inbox;

/**
 * Handles a message. An exception rolls back its work and the inbox row of the message.
 *
 * @param <T> the class of the payload
 */
@FunctionalInterface
public interface Handler<T> {
    void handle(Received<T> received) throws Exception;
}
