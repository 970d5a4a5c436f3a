package io.waybill.message;

import static java.util.stream.Collectors.toSet;

import io.waybill.message.text.Json;
import io.waybill.message.text.NameRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A message from elsewhere in a form that every database can keep, and back. Columns of names hold 255 characters, and PostgreSQL has no
 * U+0000 in text: a name that does not fit is kept in a header and replaced by its beginning and a hash; a text body that does not fit is
 * kept as bytes.
 */
public final class StorableMessage {

    /** The header that says what was replaced. */
    private static final String KEPT = "waybill-kept";

    private static final String TYPE = "type";
    private static final String KEY = "key";
    private static final String PARTITION_KEY = "partition-key";
    private static final String TEXT = "text";

    /** Of a replaced name this much is left to read; a separator and 64 digits follow. */
    private static final int BEGINNING = 150;

    private static final char REPLACEMENT = '\uFFFD';

    private StorableMessage() {}

    /** The message as it is written to columns. */
    public static Envelope of(Envelope message) {
        Map<String, String> kept = new LinkedHashMap<>();
        String type = kept(kept, TYPE, message.type());
        String key = kept(kept, KEY, message.key());
        String partitionKey = kept(kept, PARTITION_KEY, message.partitionKey());
        Payload payload = message.payload();
        if (payload.isText() && payload.asText().indexOf('\0') >= 0) {
            kept.put(TEXT, "true");
            payload = Payload.binary(payload.asBytes());
        }
        if (kept.isEmpty() && !message.headers().containsKey(KEPT)) {
            return message;
        }
        var headers = new HashMap<>(message.headers());
        headers.remove(KEPT);
        if (!kept.isEmpty()) {
            headers.put(KEPT, Json.writeFlat(kept));
        }
        return new Envelope(
                message.id(), message.category(), type, message.destination(), key, partitionKey, payload, headers);
    }

    /** The message as it was before it was written; any other message is itself. */
    public static Envelope restored(Envelope stored) {
        String json = stored.headers().get(KEPT);
        if (json == null) {
            return stored;
        }
        Map<String, String> kept = read(json);
        var headers = new HashMap<>(stored.headers());
        headers.remove(KEPT);
        return new Envelope(
                stored.id(),
                stored.category(),
                kept.getOrDefault(TYPE, stored.type()),
                stored.destination(),
                kept.getOrDefault(KEY, stored.key()),
                kept.getOrDefault(PARTITION_KEY, stored.partitionKey()),
                kept.containsKey(TEXT) ? Payload.text(stored.payload().asText()) : stored.payload(),
                headers);
    }

    /** What stands in a column for this name or key: itself when it fits. */
    public static String name(String value) {
        if (value.length() <= NameRules.LIMIT && isPlain(value)) {
            return value;
        }
        String beginning = value.length() <= BEGINNING ? value : value.substring(0, BEGINNING);
        return plain(beginning) + "~" + NamedId.digits(value);
    }

    /** Text without what a database cannot keep. */
    public static String plain(String text) {
        if (isPlain(text)) {
            return text;
        }
        var plain = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            if (isForeign(text, i)) {
                plain.setCharAt(i, REPLACEMENT);
            }
        }
        return plain.toString();
    }

    /** Those of the keys that are among the stored ones. */
    public static Set<String> among(Collection<String> keys, Function<Set<String>, Set<String>> stored) {
        Set<String> found =
                stored.apply(keys.stream().map(StorableMessage::name).collect(toSet()));
        return found.isEmpty()
                ? Set.of()
                : keys.stream().filter(key -> found.contains(name(key))).collect(toSet());
    }

    private static String kept(Map<String, String> kept, String name, String value) {
        String stored = name(value);
        if (!stored.equals(value)) {
            kept.put(name, value);
        }
        return stored;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isForeign(text, i)) {
                return false;
            }
        }
        return true;
    }

    /** What drivers refuse, or write something else for. */
    private static boolean isForeign(String text, int at) {
        return text.charAt(at) == 0 || Json.isHalf(text, at);
    }

    private static Map<String, String> read(String json) {
        try {
            return Json.readFlat(json);
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }
}
