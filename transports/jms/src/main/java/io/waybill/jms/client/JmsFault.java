package io.waybill.jms.client;

import io.waybill.transport.Outcome;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whose fault an exception is. */
public enum JmsFault {

    /** The message's: the broker answered, and does not want it. */
    REFUSED {
        @Override
        public Outcome outcome(String reason) {
            return new Outcome.Refused(reason);
        }
    },

    /** The queue's, for now: it is full. */
    UNAVAILABLE {
        @Override
        public Outcome outcome(String reason) {
            return new Outcome.Unavailable(reason);
        }
    },

    /** A wrong setup: no such queue, no right to use it, a wrong password. */
    MISCONFIGURED {
        @Override
        public Outcome outcome(String reason) {
            return new Outcome.Misconfigured(reason);
        }
    },

    /** The connection's: nobody knows what the broker has done. */
    BROKEN {
        @Override
        public Outcome outcome(String reason) {
            return new Outcome.Unavailable(reason);
        }
    };

    private static final int MAX_LINE = 500;

    public abstract Outcome outcome(String reason);

    public static JmsFault of(Exception e) {
        return causes(e).stream()
                .map(JmsFault::ofVendor)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> ofStandard(e));
    }

    /** What a vendor's own exception says is more exact. It is looked at only when it is there, and then so is its library. */
    private static Optional<JmsFault> ofVendor(Throwable cause) {
        String name = cause.getClass().getName();
        if (name.startsWith(ArtemisClient.EXCEPTIONS)) {
            return ArtemisClient.fault(cause);
        }
        return name.equals(IbmMqClient.EXCEPTION) ? IbmMqClient.fault(cause) : Optional.empty();
    }

    private static JmsFault ofStandard(Exception e) {
        if (e instanceof JMSSecurityException
                || e instanceof InvalidDestinationException
                || e instanceof InvalidClientIDException) {
            return MISCONFIGURED;
        }
        if (e instanceof IllegalStateException || e instanceof TransactionRolledBackException) {
            return BROKEN;
        }
        return e instanceof ResourceAllocationException ? UNAVAILABLE : REFUSED;
    }

    /** The exception and what caused it in one line, for people. */
    public static String line(Exception e) {
        var line = new StringBuilder();
        for (Throwable cause : causes(e)) {
            String text = cause.getMessage() == null
                    ? cause.getClass().getSimpleName()
                    : cause.getMessage().replaceAll("\\s+", " ").strip();
            if (line.indexOf(text) < 0 && line.length() < MAX_LINE) {
                line.append(line.length() == 0 ? "" : " / ").append(text);
            }
        }
        if (line.length() > MAX_LINE) {
            line.setLength(MAX_LINE);
            line.append('…');
        }
        return line.charAt(line.length() - 1) == '.'
                ? line.toString()
                : line.append('.').toString();
    }

    private static List<Throwable> causes(Exception e) {
        var causes = new ArrayList<Throwable>();
        @Nullable Throwable next = e;
        while (next != null && !causes.contains(next)) {
            causes.add(next);
            next = next instanceof JMSException jms && jms.getLinkedException() != null
                    ? jms.getLinkedException()
                    : next.getCause();
        }
        return causes;
    }
}
