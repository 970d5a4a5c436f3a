package io.waybill.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A page in light, in dark and on a narrow screen, as axe judges it. Where a directory for them is given, pictures are taken. */
final class Accessibility {

    private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

    private final Chromium browser;
    private final String axe;

    Accessibility(Chromium browser) throws IOException {
        this.browser = browser;
        try (InputStream script = Accessibility.class.getResourceAsStream(AXE)) {
            this.axe = new String(script.readAllBytes(), UTF_8);
        }
    }

    void check(String page) throws IOException {
        browser.evaluate(axe + ";0");
        nothingSerious(page + "-light");
        browser.look(1280, true);
        nothingSerious(page + "-dark");
        browser.look(360, false);
        nothingSerious(page + "-narrow");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as(page + " on a narrow screen")
                .isLessThanOrEqualTo(360);
        browser.problems(); // of axe itself
    }

    private void nothingSerious(String what) throws IOException {
        String directory = System.getProperty("waybill.screenshots", "");
        if (!directory.isEmpty()) {
            browser.screenshot(Path.of(directory, what + ".png"));
        }
        JsonNode serious = browser.evaluate(
                "axe.run().then(found => found.violations"
                        + ".filter(one => ['serious', 'critical'].includes(one.impact))"
                        + ".map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | ').slice(0, 900)))");
        assertThat(serious.valueStream().map(JsonNode::asString)).as(what).isEmpty();
    }
}
