package io.waybill.jdbc.ops;

import io.waybill.message.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
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
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** PHP writes an empty object as an empty list, and no object at all as null. */
    public static MessengerHeaders read(String json) {
        String text = json.strip();
        return new MessengerHeaders(text.equals("[]") || text.equals("null") ? Map.of() : Json.readFlat(json));
    }

    /** What the message is called: its name stamp, else what the serializer called its type. */
    public String name() {
        String stamped = stampedName();
        return stamped.isEmpty() ? all.getOrDefault("type", "") : stamped;
    }

    /** What its name stamp calls it; empty when it has none. */
    public String stampedName() {
        return members("MessageNameStamp").stream()
                .flatMap(members -> members.values().stream().filter(value -> value.startsWith("\"")))
                .findFirst()
                .map(Json::plain)
                .orElse("");
    }

    public Optional<UUID> id() {
        Matcher id = UUID_TEXT.matcher(stamp("MessageIdStamp"));
        return id.find() ? Optional.of(UUID.fromString(id.group())) : Optional.empty();
    }

    /** What of the headers is a header: no stamp with one of these names; content types have one spelling. */
    public Map<String, String> without(String... stamps) {
        Map<String, String> left = new LinkedHashMap<>(all);
        for (String stamp : stamps) {
            left.keySet().removeIf(name -> isStamp(name, stamp));
        }
        String contentType = left.remove("Content-Type");
        if (contentType != null) {
            left.put("content-type", contentType);
        }
        return left;
    }

    /** The value of this name in the last stamp that has it; empty when there is none. */
    public String last(String stamp, String member) {
        List<String> values = values(stamp, member);
        return values.isEmpty() ? "" : values.get(values.size() - 1);
    }

    /** The values of this name in all stamps of a kind. */
    public List<String> values(String stamp, String member) {
        return members(stamp).stream()
                .map(members -> members.getOrDefault(member, "null"))
                .filter(value -> !value.equals("null"))
                .map(Json::plain)
                .toList();
    }

    /** The stamps of a kind, the oldest first, each with its members as JSON. */
    private List<Map<String, String>> members(String name) {
        String stamp = stamp(name);
        return stamp.isBlank()
                ? List.of()
                : Json.readElements(stamp).stream()
                        .filter(element -> element.startsWith("{"))
                        .map(Json::readMembers)
                        .toList();
    }

    private String stamp(String name) {
        return all.entrySet().stream()
                .filter(header -> isStamp(header.getKey(), name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static boolean isStamp(String header, String name) {
        return header.startsWith(STAMP) && header.endsWith(name);
    }
}
