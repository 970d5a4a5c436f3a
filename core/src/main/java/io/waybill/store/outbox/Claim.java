package io.waybill.store.outbox;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a claim gave.
 *
 * @param cut whether more was there, and was left because of its bytes
 */
public record Claim(List<ClaimedMessage> messages, boolean cut) {

    public static final Claim NOTHING = new Claim(List.of(), false);

    /** The first of these rows, as many as have no more bytes than this together. The first one goes whatever its size. */
    public static Claim upTo(long maxBytes, List<ClaimedMessage> rows, ToLongFunction<ClaimedMessage> size) {
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            bytes += size.applyAsLong(rows.get(i));
            if (i > 0 && bytes > maxBytes) {
                return new Claim(rows.subList(0, i), true);
            }
        }
        return new Claim(rows, false);
    }

    /** How many bytes the payloads have together. */
    public long bytes() {
        return ClaimedMessage.bytes(messages);
    }
}
