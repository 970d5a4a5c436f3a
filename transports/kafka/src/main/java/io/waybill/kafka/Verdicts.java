package io.waybill.kafka;

import io.waybill.transport.Outcome;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** What Kafka's errors mean for a message: whose fault it is, and what may be done. */
final class Verdicts {

    private Verdicts() {}

    /** For an error that Kafka gave for one message. {@link Outcome.NotAttempted} means that it is no fault of that message. */
    static Outcome ofMessage(String topic, Exception error) {
        if (isSetUpWrongly(error) || error instanceof UnknownTopicOrPartitionException) {
            return ofTopic(topic, error, "Kafka");
        }
        if (error instanceof RetriableException) {
            return new Outcome.Unavailable(text(error));
        }
        return isOfProducer(error) || !(error instanceof ApiException)
                ? new Outcome.NotAttempted()
                : new Outcome.Refused(text(error));
    }

    /** For an error about a topic. */
    static Outcome ofTopic(String topic, Exception error, String cluster) {
        if (error instanceof UnknownTopicOrPartitionException) {
            return new Outcome.Misconfigured(
                    cluster + " has no topic '" + topic + "'. Create it, or correct the destination.");
        }
        return isSetUpWrongly(error)
                ? new Outcome.Misconfigured(cluster + ", topic '" + topic + "': " + text(error))
                : new Outcome.Unavailable(noAnswer(error, cluster));
    }

    /** For an error that concerns everything that is sent to the cluster. */
    static Outcome ofAll(Exception error, String cluster) {
        return isSetUpWrongly(error) || isOfClient(error)
                ? new Outcome.Misconfigured(cluster + ": " + text(error))
                : new Outcome.Unavailable(noAnswer(error, cluster));
    }

    /** A broker closes the connection without an error when only one side uses TLS. */
    private static String noAnswer(Exception error, String cluster) {
        return cluster + " does not respond: " + text(error)
                + (error instanceof TimeoutException
                        ? " Are the addresses right, and is TLS used by both sides or by neither?"
                        : "");
    }

    static String reason(@Nullable Outcome problem) {
        if (problem instanceof Outcome.Misconfigured wrong) {
            return wrong.reason();
        }
        return problem instanceof Outcome.Unavailable away ? away.reason() : String.valueOf(problem);
    }

    static String text(@Nullable Throwable error) {
        if (error == null) {
            return "unknown";
        }
        Throwable deepest = error;
        while (deepest.getClass() == KafkaException.class && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getClass().getSimpleName() + ": " + deepest.getMessage();
    }

    private static boolean isSetUpWrongly(Exception error) {
        return error instanceof AuthorizationException
                || error instanceof AuthenticationException
                || error instanceof InvalidTopicException
                || error instanceof UnsupportedVersionException;
    }

    /** The client could not be made from its settings. */
    private static boolean isOfClient(Exception error) {
        return isOfSettings(error) || isOfSettings(error.getCause());
    }

    private static boolean isOfSettings(@Nullable Throwable error) {
        return error instanceof ConfigException || error instanceof InvalidConfigurationException;
    }

    /** The producer lost its place: nothing is wrong with what it sent, and a new producer may send it. */
    private static boolean isOfProducer(Exception error) {
        return error instanceof ProducerFencedException
                || error instanceof InvalidProducerEpochException
                || error instanceof OutOfOrderSequenceException
                || error instanceof UnknownProducerIdException
                || error instanceof InvalidPidMappingException
                || error instanceof InvalidTxnStateException
                || error instanceof TransactionAbortedException
                || error instanceof TransactionAbortableException;
    }
}
