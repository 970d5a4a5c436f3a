package io.waybill.inbox;

/** What an application does with a message. Whatever it throws undoes its work and the note that the message was handled. */
@FunctionalInterface
public interface Handler {
    void handle(Received received) throws Exception;
}
