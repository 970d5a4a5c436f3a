package io.waybill.kafka.cluster;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Takes rights away from everybody, and waits until the broker knows. */
public final class Rights {

    private Rights() {}

    public static void deny(AclOperation right, String topic) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            // A topic with one rule needs rules for everything: what is not allowed then is denied.
            admin.createAcls(List.of(
                            rule(topic, AclOperation.ALL, AclPermissionType.ALLOW),
                            rule(topic, right, AclPermissionType.DENY)))
                    .all()
                    .get();
            await().until(() -> isDenied(admin, right, topic));
        }
    }

    private static AclBinding rule(String topic, AclOperation right, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:ANONYMOUS", "*", right, permission));
    }

    private static boolean isDenied(Admin admin, AclOperation right, String topic) throws InterruptedException {
        try {
            return admin
                    .describeTopics(List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true))
                    .allTopicNames()
                    .get()
                    .values()
                    .stream()
                    .noneMatch(found -> found.authorizedOperations().contains(right));
        } catch (ExecutionException e) {
            return e.getCause() instanceof TopicAuthorizationException;
        }
    }
}
