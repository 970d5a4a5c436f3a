package io.waybill.spring.settings;

import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.outbox.Unrouted;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code waybill}. What their values must be is checked by {@link SpringSettings}, all of them at once.
 *
 * @param enabled Whether Waybill is there at all.
 * @param dataSource Name of the DataSource bean whose database has the tables; needed where there are several and none is primary.
 * @param transactionManager Name of the transaction manager of that DataSource; needed where there are several and none is primary.
 * @param dataSources Instances on further data sources, by the names of their beans. Each takes the settings under waybill, and those under
 *     its name instead of them.
 * @param tablePrefix Stands before every table name.
 * @param initializeSchema Whether the tables are created at start, or only checked.
 * @param relays How many relays run in this process; zero only appends.
 * @param pool Instances with the same routes and subscribers are a pool; one with others on the same tables needs a pool of its own.
 * @param signals Whether relays in other processes are told of new messages at once (PostgreSQL).
 * @param warnAfter How long a message may wait before the log, health and metrics call it unusual; replies and steps five times as long. A
 *     plain number is seconds.
 * @param routes Which destinations go to which broker; the first pattern that matches counts.
 */
@ConfigurationProperties(prefix = "waybill", ignoreUnknownFields = false)
public record WaybillProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("") String dataSource,
        @DefaultValue("") String transactionManager,
        @DefaultValue Map<String, Object> dataSources,
        @DefaultValue("") String tablePrefix,
        @DefaultValue("always") InitializeSchema initializeSchema,
        @DefaultValue("1") int relays,
        @Nullable String pool,
        @DefaultValue("true") boolean signals,

        @DefaultValue("1m") @DurationUnit(ChronoUnit.SECONDS)
        Duration warnAfter,

        @DefaultValue List<Route> routes,
        @DefaultValue OutboxSettings outbox,
        @DefaultValue InboxSettings inbox,
        @DefaultValue CommandSettings commands,
        @DefaultValue ProcessSettings processes,
        @DefaultValue HandlerSettings handlers,
        @DefaultValue Messaging messaging,
        @DefaultValue MqSettings mq,
        @DefaultValue ConsoleProperties console) {

    /**
     * Where messages go.
     *
     * @param pattern Destinations: * does not cross a dot, ** does.
     * @param url The broker: kafka://localhost:9092, amqp://localhost, webhook+https://example.org/hook, stdout:
     * @param format How messages look on the wire.
     * @param name What the broker calls the destination; {destination} stands for its name.
     * @param maxAttempts How often a message may be refused before it has failed.
     * @param onExhausted What then becomes of the later messages of its key.
     */
    public record Route(
            @DefaultValue("") String pattern,
            @DefaultValue("") String url,
            @DefaultValue("plain") WireFormat format,
            @Nullable String name,
            @Nullable Integer maxAttempts,
            @Nullable OnExhausted onExhausted) {

        static Route to(String pattern, String url) {
            return new Route(pattern, url, WireFormat.PLAIN, null, null, null);
        }
    }

    /**
     * Sending.
     *
     * @param sweepInterval How long an idle relay waits before it looks again without having been woken.
     * @param leaseTime How long the shards of a relay that stopped answering stay its own; a plain number is seconds.
     * @param claimTimeout How long a message that is being sent or handled may keep its shard from being handed over to another relay; a plain
     *     number is seconds.
     * @param closeTimeout How long closing waits for what is being sent or handled; as long as
     *     spring.lifecycle.timeout-per-shutdown-phase unless it is given. A plain number is seconds.
     * @param batchSize How many messages are claimed at once.
     * @param maxPayload How many bytes a payload may have, such as 64MB; a message with more fails with the reason, unread. An eighth of the
     *     heap unless it is given. A plain number is bytes.
     * @param retention How long dispatched messages are kept; zero removes them as they are sent. A plain number is days.
     * @param cleanupInterval How often messages whose retention is over are removed; a plain number is minutes.
     * @param ordered Destinations whose messages must have a key.
     * @param unrouted What becomes of a message for a destination that nobody serves: warn lets it wait, refuse throws before it is written.
     */
    public record OutboxSettings(
            @DefaultValue("1s") Duration sweepInterval,

            @DefaultValue("10s") @DurationUnit(ChronoUnit.SECONDS)
            Duration leaseTime,

            @DefaultValue("60s") @DurationUnit(ChronoUnit.SECONDS)
            Duration claimTimeout,

            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration closeTimeout,

            @DefaultValue("2000") int batchSize,
            @Nullable DataSize maxPayload,

            @DefaultValue("7d") @DurationUnit(ChronoUnit.DAYS)
            Duration retention,

            @DefaultValue("10m") @DurationUnit(ChronoUnit.MINUTES)
            Duration cleanupInterval,

            @DefaultValue List<String> ordered,
            @DefaultValue("warn") Unrouted unrouted) {}

    /**
     * Receiving once.
     *
     * @param retention How long it is remembered what was handled; longer than brokers may deliver again. A plain number is days.
     * @param redeliveryWindow How long after it was handled a broker may deliver a message again; a plain number is days.
     * @param attempts How often a message is tried before it is put among the failed ones.
     * @param idleTimeout How long a receiver's transaction may do nothing before the database ends it; 0 is for ever. A plain number is
     *     seconds.
     */
    public record InboxSettings(
            @DefaultValue("30d") @DurationUnit(ChronoUnit.DAYS)
            Duration retention,

            @DefaultValue("7d") @DurationUnit(ChronoUnit.DAYS)
            Duration redeliveryWindow,

            @DefaultValue("10") int attempts,

            @DefaultValue("2m") @DurationUnit(ChronoUnit.SECONDS)
            Duration idleTimeout) {}

    /**
     * Commands.
     *
     * @param prefix Queues are called prefix.TYPE.suffix.
     * @param suffix Queues are called prefix.TYPE.suffix.
     * @param replyQueue The queue that replies to commands of this application come through; by default it contains spring.application.name.
     * @param maxAttempts How often a command is tried whose error says that it may go away.
     * @param inOrder Whether commands of one business key are taken from a broker one after the other: by default wherever the broker can do it with
     *     this number of consumers. Several workers on one queue of RabbitMQ need false, or single-active-consumer=true in its URL.
     * @param retention How long commands that are over are kept; not shorter than processes. A plain number is days.
     */
    public record CommandSettings(
            @DefaultValue("APP.CMD") String prefix,
            @DefaultValue("Q") String suffix,
            @DefaultValue("") String replyQueue,
            @DefaultValue("10") int maxAttempts,
            @Nullable Boolean inOrder,

            @DefaultValue("30d") @DurationUnit(ChronoUnit.DAYS)
            Duration retention) {}

    /**
     * Processes.
     *
     * @param retention How long finished processes are kept, with their logs; a plain number is days.
     */
    public record ProcessSettings(
            @DefaultValue("30d") @DurationUnit(ChronoUnit.DAYS)
            Duration retention) {}

    /**
     * Handlers of this process.
     *
     * @param concurrency How many messages are handled at once by each relay, each on a thread and a connection of its own.
     * @param messagesPerCommit How many messages of different keys are handled in one transaction; more than one for handlers that do
     *     not lock the same rows in different orders.
     */
    public record HandlerSettings(
            @DefaultValue("4") int concurrency,
            @DefaultValue("1") int messagesPerCommit) {}

    /**
     * Brokers that messages come from.
     */
    public record Messaging(@DefaultValue Consumers consumers) {}

    /**
     * Consumers of brokers.
     *
     * @param enabled Whether this instance takes messages from brokers.
     * @param concurrency How many consumers each topic or queue has: so many batches are handled at once.
     * @param batchSize How many messages such a batch has at most.
     * @param commandsFrom Broker that commands for the handlers of this process come from.
     * @param repliesFrom Broker that the answers to commands come from.
     * @param sources Which destinations of subscribers come from which broker; all others come from the outbox of this database.
     */
    public record Consumers(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1") int concurrency,
            @DefaultValue("100") int batchSize,
            @DefaultValue("") String commandsFrom,
            @DefaultValue("") String repliesFrom,
            @DefaultValue List<Source> sources) {}

    /**
     * Where messages come from.
     *
     * @param pattern Topics or queues: * does not cross a dot, ** does.
     * @param url The broker: kafka://localhost:9092, amqp://localhost, jms+artemis://localhost:61616
     */
    public record Source(
            @DefaultValue("") String pattern,
            @DefaultValue("") String url) {}

    /**
     * The broker of all commands: they leave through it, come back to the handlers of this application, and so do their answers.
     *
     * @param url A broker: jms+artemis://localhost:61616, kafka://localhost:9092; or host, qmgr and channel of IBM MQ.
     * @param host Host of a queue manager of IBM MQ.
     * @param port Port of the queue manager.
     * @param qmgr Name of the queue manager.
     * @param channel Its server-connection channel.
     * @param user Who connects.
     * @param password Password of the user.
     * @param requiredQueues Queues that must be there when the application starts, where the broker is one of JMS.
     */
    public record MqSettings(
            @DefaultValue("") String url,
            @DefaultValue("") String host,
            @DefaultValue("1414") int port,
            @DefaultValue("") String qmgr,
            @DefaultValue("") String channel,
            @DefaultValue("") String user,
            @DefaultValue("") String password,
            @DefaultValue List<String> requiredQueues) {}

    /**
     * The console, where the application has waybill-console.
     *
     * @param enabled Whether the application's web server serves the console.
     * @param path The path that it is served under.
     * @param readOnly Whether nothing can be changed, in any role.
     * @param mask Regular expressions: values of fields and headers with such a name are hidden too; * hides every payload.
     * @param users A file of users, name:role:hash in each line; needed where neither the application nor a proxy authenticates anybody.
     * @param localAdmin Whether everybody on this machine may do everything without a login. For development: a proxy on this machine may make
     *     requests from elsewhere look local.
     * @param roles What an authority of the application, or a role from the proxy, may do: viewer, operator or admin. By default
     *     ROLE_WAYBILL_VIEWER, ROLE_WAYBILL_OPERATOR and ROLE_WAYBILL_ADMIN; of a proxy viewer, operator and admin.
     * @param trustedProxies Addresses or ranges of proxies, such as 10.0.0.0/8; the headers below count from them alone.
     * @param proxyAddressHeader The header with the address of the client.
     * @param proxyProtocolHeader The header that is https where the client uses TLS.
     * @param proxyUserHeader The header with the user that the proxy has logged in.
     * @param proxyRoleHeader The header with roles or groups of that user; without it every user is a viewer.
     */
    public record ConsoleProperties(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/waybill") String path,
            @DefaultValue("false") boolean readOnly,
            @DefaultValue List<String> mask,
            @DefaultValue("") String users,
            @DefaultValue("false") boolean localAdmin,
            @DefaultValue Map<String, String> roles,
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("X-Forwarded-For") String proxyAddressHeader,
            @DefaultValue("X-Forwarded-Proto") String proxyProtocolHeader,
            @DefaultValue("") String proxyUserHeader,
            @DefaultValue("") String proxyRoleHeader) {}
}
