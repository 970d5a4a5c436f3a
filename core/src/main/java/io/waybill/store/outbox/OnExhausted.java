package io.waybill.store.outbox;

/** What becomes of a key when one of its messages has been refused for the last time. */
public enum OnExhausted {
    /** The message has failed and its followers are held behind it; replaying it restores their order. */
    PARK,
    /** The message has failed and its followers go on without it: the order of the key is given up. */
    SKIP,
    /** The message stays first in its key, and nothing of the key moves until somebody acts. */
    BLOCK
}
