package io.waybill.jdbc;

import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.process.ProcessOptimisations;
import io.waybill.relay.RelayOptimisations;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Switches every optimisation off while a test runs: what it promises holds without them too. */
public final class PlainWay implements BeforeEachCallback, AfterEachCallback, ExecutionCondition {

    /** Contracts that say nothing about what is optimised: the others are enough in every build, these run with -Pfull. */
    private static final Set<String> SELDOM = Set.of(
            "ForeignMessages",
            "FailedAsMessengerHasThem",
            "ForeignMessagesAsMessengerHasThem",
            "ParkedKeysAsMessengerHasThem",
            "Leases",
            "SubmittedCommands",
            "HandOver",
            "MixedRelays",
            "RelayPause",
            "Operators",
            "Attempts",
            "ScheduledMessages",
            "OperatorQueries",
            "Cleanups");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean seldom = context.getTestClass()
                .filter(type -> SELDOM.contains(type.getSimpleName()))
                .isPresent();
        return seldom && !Boolean.getBoolean("waybill.plain.way.everywhere")
                ? ConditionEvaluationResult.disabled("It runs with -Pfull.")
                : ConditionEvaluationResult.enabled("");
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        enable(false);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        enable(true);
    }

    private static void enable(boolean enabled) {
        RoundTrips.enabled = enabled;
        RelayOptimisations.enable(enabled);
        ProcessOptimisations.enable(enabled);
    }

    /** Whether a test is run the plain way. */
    public static boolean isOn() {
        return !RoundTrips.enabled;
    }
}
