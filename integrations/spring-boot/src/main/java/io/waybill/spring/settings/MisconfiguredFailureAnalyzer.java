package io.waybill.spring.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the settings without a stack trace. */
public final class MisconfiguredFailureAnalyzer extends AbstractFailureAnalyzer<SpringMisconfiguredException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SpringMisconfiguredException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Change the settings that are named, or set waybill.enabled=false to start without Waybill.",
                cause);
    }
}
