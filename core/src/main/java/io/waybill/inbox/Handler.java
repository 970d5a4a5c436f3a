package io.waybill.inbox;

/**
 * What an application does with a message. Whatever it throws undoes its work and the note that the message was handled.
 *
 * @param <T> what the payload is read into
 */
@FunctionalInterface
public interface Handler<T> {
    void handle(Received<T> received) throws Exception;
}
