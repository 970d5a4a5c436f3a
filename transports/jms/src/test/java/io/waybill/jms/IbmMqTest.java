package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.ibm.mq.MQException;
import com.ibm.mq.constants.CMQC;
import com.ibm.mq.jakarta.jms.MQConnectionFactory;
import io.waybill.WaybillException;
import io.waybill.jms.client.IbmMqSettings;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsFault;
import io.waybill.jms.client.JmsProduct;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** As far as IBM's client goes without a queue manager. */
class IbmMqTest {

    /** A port that nobody listens on. */
    private static final IbmMqSettings NOBODY =
            IbmMqSettings.at("127.0.0.1", 1, "QM1", "DEV.APP.SVRCONN").user("app", "secret");

    @Test
    void a_queue_manager_that_is_away_is_unavailable_in_one_line() {
        try (var mq = Jms.ibmMq(NOBODY);
                var publisher = mq.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(message()), Deadline.NEVER))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            outcome -> assertThat(outcome.reason())
                                    .contains("IBM MQ at 127.0.0.1:1, queue manager QM1", "2538")
                                    .doesNotContain("secret", "\n"));
        }
    }

    @Test
    void an_ordered_subscription_with_several_threads_is_refused() {
        try (var mq = Jms.ibmMq(NOBODY)) {
            assertThatThrownBy(() -> mq.subscribe(
                            SubscriptionOptions.to("ORDERS", "billing").concurrency(10), batch -> {}))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("ORDERS")
                    .hasMessageContaining("concurrency 10");
        }
    }

    @Test
    void a_missing_queue_comes_with_the_line_that_defines_it() {
        assertThat(JmsProduct.IBM_MQ.howToDefine("APP.CMD.CREATEORDER.Q"))
                .startsWith("DEFINE QLOCAL('APP.CMD.CREATEORDER.Q') MAXDEPTH(50000)");
    }

    @Test
    void a_queue_that_never_backs_out_is_warned_of_with_the_line_that_changes_it() {
        var logger = (Logger) LoggerFactory.getLogger(JmsEndpoint.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        try (var endpoint = new JmsEndpoint(
                "IBM MQ at mq",
                "",
                JmsProduct.IBM_MQ,
                new MQConnectionFactory(),
                () -> {},
                queue -> queue.equals("ASKED.NOT") ? OptionalInt.empty() : OptionalInt.of(queue.length() - 1))) {
            List.of("Q", "BACKS.OUT", "ASKED.NOT").forEach(endpoint::warnOfUnlimitedBackout);
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .singleElement()
                .asString()
                .contains("WB-233", "ALTER QLOCAL('Q') BOTHRESH(10) BOQNAME('Q.BACKOUT')");
    }

    @Test
    void a_reason_code_says_whose_fault_it_is() {
        assertThat(fault(CMQC.MQRC_UNKNOWN_OBJECT_NAME)).isEqualTo(JmsFault.MISCONFIGURED);
        assertThat(fault(CMQC.MQRC_NOT_AUTHORIZED)).isEqualTo(JmsFault.MISCONFIGURED);
        assertThat(fault(CMQC.MQRC_Q_FULL)).isEqualTo(JmsFault.UNAVAILABLE);
        assertThat(fault(CMQC.MQRC_CONNECTION_BROKEN)).isEqualTo(JmsFault.BROKEN);
        assertThat(fault(CMQC.MQRC_MSG_TOO_BIG_FOR_Q)).isEqualTo(JmsFault.REFUSED);
    }

    @Test
    void settings_never_show_the_password() {
        assertThat(NOBODY).hasToString("IBM MQ at 127.0.0.1:1, queue manager QM1, channel DEV.APP.SVRCONN");
    }

    private static JmsFault fault(int reason) {
        var e = new JMSException("The call failed.");
        e.setLinkedException(new MQException(CMQC.MQCC_FAILED, reason, "test"));
        return JmsFault.of(e);
    }

    private static Envelope message() {
        return new Envelope(
                UuidV7.SYSTEM.get(), Category.EVENT, "Test", "ORDERS", "", "key", Payload.text("{}"), Map.of());
    }
}
