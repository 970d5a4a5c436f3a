/**
 * Kafka: publishes in order, and receives by consumer groups.
 *
 * <p>In reading order: {@link io.waybill.kafka.Kafka} is the transport, opened with settings of one's own or, through
 * {@code KafkaProvider}, by URL. {@code KafkaPublisher} makes {@code Parcel}s of messages, {@code Waves} decides which of them
 * go out together, {@code OrderedProducer} sends them and {@code Verdicts} says what Kafka's errors mean.
 * {@code KafkaSubscription} polls, and keeps a {@code Backlog} for each partition.
 */
@NullMarked
package io.waybill.kafka;

import org.jspecify.annotations.NullMarked;
