package io.waybill.process.version;

import java.util.List;

/**
 * How a node's definition fits the instances that are in flight.
 *
 * @param processes how many unfinished instances there are, at least
 * @param unknownSteps what they stand on and the definition does not have
 * @param advice what to do, or empty
 */
public record VersionReport(
        String processType, int version, long processes, Verdict verdict, List<String> unknownSteps, String advice) {

    /** What this node can do with them. */
    public enum Verdict {
        COMPATIBLE,
        NEEDS_MAPPING,
        MISSING
    }
}
