package io.waybill.rabbitmq.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.transport.Outcome;
import java.io.EOFException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a broker cannot be used now, in one line for people, without credentials. */
public final class AmqpProblem extends Exception {

    /** What can be done about it. */
    enum Kind {
        /** Wait: it comes back. */
        AWAY,
        /** Somebody must act: it will say the same again. */
        WRONG
    }

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    AmqpProblem(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public static AmqpProblem away(String message) {
        return new AmqpProblem(Kind.AWAY, message, null);
    }

    /** No connection could be opened. */
    static AmqpProblem connecting(String where, String user, Exception failure) {
        Throwable root = root(failure);
        if (failure instanceof AuthenticationFailureException
                || failure instanceof PossibleAuthenticationFailureException) {
            return wrong(where + " does not let user '" + user + "' in: the user or the password is wrong.", failure);
        }
        if (failure instanceof SSLException && !(root instanceof EOFException) && !(root instanceof SocketException)) {
            return wrong(
                    where + " and this JVM do not agree on TLS: " + text(root)
                            + ". Is the port one for TLS, and its certificate trusted here and made out to this host?",
                    failure);
        }
        if (root instanceof MalformedFrameException || root instanceof IllegalStateException) {
            return wrong(where + " does not speak AMQP 0-9-1. If this is its port for TLS, write amqps.", failure);
        }
        if (root instanceof UnknownHostException) {
            return new AmqpProblem(Kind.AWAY, where + " cannot be reached: there is no such host.", failure);
        }
        if (failure instanceof TimeoutException) {
            return new AmqpProblem(
                    Kind.AWAY, where + " does not respond like an AMQP broker: " + text(root) + ".", failure);
        }
        Closing closing = Closing.of(failure);
        return closing.isByBroker() && !closing.isNobodysFault()
                ? wrong(where + " refuses the connection: " + closing, failure)
                : new AmqpProblem(Kind.AWAY, where + " cannot be reached: " + closing, failure);
    }

    public static AmqpProblem wrong(String message, @Nullable Throwable cause) {
        return new AmqpProblem(Kind.WRONG, message, cause);
    }

    boolean isAway() {
        return kind == Kind.AWAY;
    }

    /** Of a message that could not be sent for it. */
    public Outcome outcome() {
        return isAway() ? new Outcome.Unavailable(text(this)) : new Outcome.Misconfigured(text(this));
    }

    static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    /** One line. */
    public static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank()
                ? failure.getClass().getSimpleName()
                : message.strip().replaceAll("\\s+", " ");
    }

    /**
     * Why a channel or a connection ended.
     *
     * @param code what the broker gave as the reason; 0 when the connection broke without one
     */
    public record Closing(int code, String text) {

        public static Closing of(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof ShutdownSignalException signal) {
                    Method reason = signal.getReason();
                    if (reason instanceof AMQP.Channel.Close close) {
                        return new Closing(close.getReplyCode(), close.getReplyText());
                    } else if (reason instanceof AMQP.Connection.Close close) {
                        return new Closing(close.getReplyCode(), close.getReplyText());
                    }
                }
            }
            Throwable root = root(failure);
            return new Closing(
                    0,
                    root instanceof AlreadyClosedException
                            ? "the connection is gone"
                            : "the connection broke (" + AmqpProblem.text(root) + ")");
        }

        boolean isByBroker() {
            return code != 0;
        }

        /** Whether this side asked for it. */
        public boolean isAsAsked() {
            return code == AMQP.REPLY_SUCCESS;
        }

        /** Whether it would have happened whatever had been sent: it broke, it is being stopped, it is out of something. */
        public boolean isNobodysFault() {
            return code == 0
                    || isAsAsked()
                    || code == AMQP.CONNECTION_FORCED
                    || code == AMQP.RESOURCE_ERROR
                    || code == AMQP.INTERNAL_ERROR;
        }

        /** Whether what was named does not exist, or this user may not use it. */
        public boolean isSetUpWrongly() {
            return code == AMQP.NOT_FOUND || isAccessRefused();
        }

        public boolean isAccessRefused() {
            return code == AMQP.ACCESS_REFUSED;
        }

        @Override
        public String toString() {
            return isByBroker() ? code + " " + text : text;
        }
    }
}
