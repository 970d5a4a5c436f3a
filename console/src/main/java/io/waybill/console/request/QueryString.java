package io.waybill.console.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands behind the question mark of an address. */
public final class QueryString {

    private QueryString() {}

    /**
     * The parameters, decoded; of several with one name the last.
     *
     * @param raw as it was sent; null or empty when there is none
     * @throws IllegalArgumentException when a % is not followed by two hexadecimal digits
     */
    public static Map<String, String> parse(@Nullable String raw) {
        var query = new HashMap<String, String>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    /**
     * Text of an address without its escapes.
     *
     * @throws IllegalArgumentException when a % is not followed by two hexadecimal digits
     */
    public static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
    }
}
