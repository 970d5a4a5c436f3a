package io.waybill.server.config;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes as people write it: {@code 500KB}, {@code 16MB}, {@code 1GB}. */
public final class ByteSize {

    static final String RULE = "must be a number of bytes such as 500KB, 16MB or 1GB";

    private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})(KB|MB|GB|)");

    private ByteSize() {}

    public static long parse(String text) {
        Matcher bytes = BYTES.matcher(text);
        if (!bytes.matches() || Long.parseLong(bytes.group(1)) == 0) {
            throw new WaybillException(SecretMask.value(text) + " " + RULE + ".");
        }
        int power = List.of("", "KB", "MB", "GB").indexOf(bytes.group(2));
        return Long.parseLong(bytes.group(1)) << (10 * power);
    }
}
