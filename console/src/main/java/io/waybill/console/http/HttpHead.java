package io.waybill.console.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.QueryString;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a request before its body. */
record HttpHead(String method, String target, Map<String, String> headers, int length, long bodyBytes) {

    private static final Pattern REQUEST = Pattern.compile("([A-Z]{3,8}) (/[!-~]*) HTTP/1\\.[01]");
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final int MAX_BYTES = 16 * 1024;
    private static final Set<String> ONLY_ONCE =
            Set.of("host", "content-length", "authorization", "origin", "content-type");

    /** A request that is answered with this status and closed. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final int status;

        Refused(int status, String why) {
            super(why);
            this.status = status;
        }
    }

    /** The head, once all of it has come. One that is too long is refused before anything in it is looked at. */
    static Optional<HttpHead> parse(byte[] received, int size) throws Refused {
        String text = new String(received, 0, Math.min(size, MAX_BYTES), ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            if (size >= MAX_BYTES) {
                throw new Refused(431, "The head of the request has more than " + MAX_BYTES + " bytes.");
            }
            return Optional.empty();
        }
        String[] lines = text.substring(0, end).split("\r\n", -1);
        Matcher request = REQUEST.matcher(lines[0]);
        if (!request.matches()) {
            throw new Refused(400, "The request line is not one of HTTP/1.1.");
        }
        var headers = new HashMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            add(lines[i], headers);
        }
        if (headers.containsKey("transfer-encoding")) {
            throw new Refused(411, "Send the length of the body.");
        }
        String length = headers.getOrDefault("content-length", "0");
        if (!length.matches("[0-9]{1,12}")) {
            throw new Refused(400, "The length of the body is not a number.");
        }
        return Optional.of(new HttpHead(request.group(1), request.group(2), headers, end + 4, Long.parseLong(length)));
    }

    private static void add(String line, Map<String, String> headers) throws Refused {
        int colon = line.indexOf(':');
        if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
            throw new Refused(400, "A line of the head is not a header.");
        }
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        String value = line.substring(colon + 1);
        if (value.chars().anyMatch(HttpHead::isControl)) {
            throw new Refused(400, "The value of a header has a control character.");
        }
        if (headers.containsKey(name) && ONLY_ONCE.contains(name)) {
            throw new Refused(400, "A header is there twice.");
        }
        headers.merge(name, value.strip(), (one, other) -> one + (name.equals("cookie") ? "; " : ", ") + other);
    }

    private static boolean isControl(int character) {
        return (character < ' ' && character != '\t') || character == 0x7f;
    }

    ConsoleRequest request(byte[] received, String client) throws Refused {
        String body = new String(received, length, (int) bodyBytes, UTF_8);
        int mark = target.indexOf('?');
        try {
            String path = QueryString.decoded((mark < 0 ? target : target.substring(0, mark)).replace("+", "%2B"));
            Map<String, String> query = QueryString.parse(mark < 0 ? "" : target.substring(mark + 1));
            return new ConsoleRequest(method, path, query, headers, body, client, false, Optional.empty());
        } catch (IllegalArgumentException e) {
            throw new Refused(400, "The address has a % that is not followed by two hexadecimal digits.");
        }
    }
}
