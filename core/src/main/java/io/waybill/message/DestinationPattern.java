package io.waybill.message;

import io.waybill.WaybillException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names destinations: {@code *} stands for anything but a dot, {@code **} for anything. Equal by its text. */
public final class DestinationPattern {

    private static final String RESERVED = "waybill.";

    private final String text;
    private final Pattern regex;

    private DestinationPattern(String text) {
        this.text = text;
        this.regex = Pattern.compile(regex(text), Pattern.DOTALL);
    }

    public static DestinationPattern of(String text) {
        if (text.isBlank()) {
            throw new WaybillException("A destination pattern is empty. Write \"orders.*\", or \"**\" for everything.");
        }
        return new DestinationPattern(text);
    }

    /** Names that begin with {@value #RESERVED} are ours: only a pattern that begins so too matches them, {@code **} does not. */
    public boolean matches(String destination) {
        return regex.matcher(destination).matches() && (!isReserved(destination) || isReserved(text));
    }

    /** Whether a destination or pattern is Waybill's own. */
    public static boolean isReserved(String name) {
        return name.startsWith(RESERVED);
    }

    private static String regex(String text) {
        var regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("**", i)) {
                regex.append(".*");
                i++;
            } else if (text.charAt(i) == '*') {
                regex.append("[^.]*");
            } else {
                regex.append(Pattern.quote(text.substring(i, i + 1)));
            }
        }
        return regex.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DestinationPattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
