package io.waybill.micronaut.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MicronautMqTest {

    @Test
    void the_queue_manager_of_the_guide_is_a_url() {
        var problems = new MicronautProblems();
        MicronautMq mq = mq(
                        Map.of(
                                "mq.host", "mq.example.com",
                                "mq.qmgr", "QM1",
                                "mq.channel", "DEV.APP.SVRCONN",
                                "mq.user", "app",
                                "mq.password", "p@ss word",
                                "mq.required-queues", "APP.CMD.CREATEORDER.Q, APP.CMD.REPLY.Q"),
                        problems)
                .orElseThrow();
        problems.report();

        assertThat(mq.url()).isEqualTo("jms+ibmmq://app:p%40ss%20word@mq.example.com:1414/QM1?channel=DEV.APP.SVRCONN");
        assertThat(mq.requiredQueues()).containsExactly("APP.CMD.CREATEORDER.Q", "APP.CMD.REPLY.Q");
    }

    @Test
    void half_a_queue_manager_is_refused() {
        var problems = new MicronautProblems();
        mq(Map.of("mq.host", "mq.example.com", "mq.port", "many"), problems);

        assertThatThrownBy(problems::report)
                .hasMessageContaining("mq.qmgr is not set")
                .hasMessageContaining("mq.channel is not set")
                .hasMessageContaining("mq.port is 'many'");
    }

    private static Optional<MicronautMq> mq(Map<String, Object> values, MicronautProblems problems) {
        var all = new HashMap<>(values);
        all.put("waybill.enabled", false);
        try (var context = ApplicationContext.run(all)) {
            return MicronautMq.of(new Keys(context.getEnvironment(), problems, "default"), problems);
        }
    }
}
