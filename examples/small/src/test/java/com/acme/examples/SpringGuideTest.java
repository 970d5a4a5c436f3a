package com.acme.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.conventions.GuideProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who follows docs/spring-boot.md word for word has an application that works. */
final class SpringGuideTest {

    @Test
    void the_application_of_the_guide_sends_its_mail(@TempDir Path folder) throws IOException {
        var guide = GuideProject.of("spring-boot.md", folder);
        assertThat(guide.names())
                .contains("pom.xml", "src/main/resources/application.yml")
                .hasSizeGreaterThan(5);
        assertThat(guide.text("pom.xml"))
                .contains("<version>" + GuideProject.property("spring-boot.version") + "</version>")
                .contains("<version>" + GuideProject.property("version") + "</version>");
        assertThat(guide.compile()).isEmpty();

        Process application = guide.start("com.acme.shop.ShopApplication", Map.of());
        try {
            Wait.until(
                    "the mail is sent",
                    () -> !application.isAlive() || said(guide).contains("A mail about o-1"));
            assertThat(said(guide)).contains("A mail about o-1");
            assertThat(application.isAlive()).as("it waits for more").isTrue();
        } finally {
            application.destroyForcibly();
        }
    }

    private static String said(GuideProject guide) {
        try {
            return guide.log();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
