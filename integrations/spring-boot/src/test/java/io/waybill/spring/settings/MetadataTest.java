package io.waybill.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An IDE and the guide know every setting. */
final class MetadataTest {

    @Test
    void every_setting_is_described_here_and_in_the_guide() throws IOException {
        String guide = Files.readString(Path.of("../../docs/spring-boot.md"));
        List<String> names = new ArrayList<>();
        for (JsonNode property : metadata().get("properties")) {
            String name = property.get("name").asString();
            names.add(name);
            assertThat(property.has("description")).as(name + " is described").isTrue();
            assertThat(guide).as(name + " is in docs/spring-boot.md").containsPattern("[`.]" + last(name) + "[`.\\[]");
        }
        assertThat(names)
                .contains("waybill.outbox.claim-timeout", "waybill.messaging.consumers.commands-from", "waybill.routes")
                .hasSizeGreaterThan(20);
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static JsonNode metadata() throws IOException {
        try (var file = MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(file).as("made by Spring Boot's annotation processor").isNotNull();
            return JsonMapper.shared().readTree(file);
        }
    }
}
