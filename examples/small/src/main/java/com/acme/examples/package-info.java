/**
 * One runnable class for each thing to do with Waybill, on a database in memory: {@link com.acme.examples.PlainOutbox}, {@link
 * com.acme.examples.Commands}, {@link com.acme.examples.CompensatedProcess}, {@link com.acme.examples.SignedWebhook}, {@link
 * com.acme.examples.KafkaToInbox}, and the same in a framework.
 */
package com.acme.examples;
