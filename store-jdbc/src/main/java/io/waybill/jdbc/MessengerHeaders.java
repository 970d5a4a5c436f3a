package io.waybill.jdbc;

import io.waybill.message.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Headers as PHP's Symfony Messenger writes them: stamps are among them, each under the name of its class and as a JSON list. For the
 * packages of this module only.
 *
 * @param all every header
 */
public record MessengerHeaders(Map<String, String> all) {

    private static final String STAMP = "X-Message-Stamp-";
    private static final Pattern FIRST_TEXT = Pattern.compile(":\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** PHP writes an empty object as an empty list. */
    public static MessengerHeaders read(String json) {
        return new MessengerHeaders(json.strip().equals("[]") ? Map.of() : Json.readFlat(json));
    }

    /** What the message is called: its name stamp, else what the serializer called its type. */
    public String name() {
        Matcher value = FIRST_TEXT.matcher(stamp("MessageNameStamp"));
        return value.find() ? Json.plain(value.group(1)) : all.getOrDefault("type", "");
    }

    public Optional<UUID> id() {
        Matcher id = UUID_TEXT.matcher(stamp("MessageIdStamp"));
        return id.find() ? Optional.of(UUID.fromString(id.group())) : Optional.empty();
    }

    /** What of the headers is a header: no stamp with one of these names; content types have one spelling. */
    public Map<String, String> without(String... stamps) {
        Map<String, String> left = new LinkedHashMap<>(all);
        for (String stamp : stamps) {
            left.keySet().removeIf(name -> name.startsWith(STAMP) && name.endsWith(stamp));
        }
        String contentType = left.remove("Content-Type");
        if (contentType != null) {
            left.put("content-type", contentType);
        }
        return left;
    }

    /** The last value of this name in a stamp; empty when there is none. */
    String last(String stamp, String member) {
        Matcher value = Pattern.compile("\"" + member + "\"\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|-?\\d+)")
                .matcher(stamp(stamp));
        String last = "";
        while (value.find()) {
            last = Json.plain(value.group(1));
        }
        return last;
    }

    private String stamp(String name) {
        return all.entrySet().stream()
                .filter(header ->
                        header.getKey().startsWith(STAMP) && header.getKey().endsWith(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
