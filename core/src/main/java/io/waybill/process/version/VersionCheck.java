package io.waybill.process.version;

import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.store.ProcessStore.InFlight;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares what is in flight with the definitions of this node: what it could not go on with is named. */
public final class VersionCheck {

    private final ProcessDefinitions definitions;

    public VersionCheck(ProcessDefinitions definitions) {
        this.definitions = definitions;
    }

    public List<VersionReport> compare(List<InFlight> inFlight) {
        Map<String, List<InFlight>> byVersion = new LinkedHashMap<>();
        inFlight.forEach(row -> byVersion
                .computeIfAbsent(row.processType() + "\0" + row.version(), key -> new ArrayList<>())
                .add(row));
        return byVersion.values().stream().map(this::compareOne).toList();
    }

    private VersionReport compareOne(List<InFlight> rows) {
        InFlight any = rows.get(0);
        long processes = rows.stream().mapToLong(InFlight::processes).max().orElse(0);
        var definition = definitions.find(any.processType(), any.version());
        if (definition.isEmpty()) {
            return new VersionReport(
                    any.processType(),
                    any.version(),
                    processes,
                    VersionReport.Verdict.MISSING,
                    List.of(),
                    "This instance knows " + any.processType() + " in the versions "
                            + definitions.versions(any.processType())
                            + ". Its instances are held until an instance with version " + any.version() + " runs.");
        }
        List<String> unknown = rows.stream()
                .filter(row -> !definition.get().has(row.step(), row.kind()))
                .map(InFlight::step)
                .distinct()
                .toList();
        return unknown.isEmpty()
                ? new VersionReport(
                        any.processType(), any.version(), processes, VersionReport.Verdict.COMPATIBLE, unknown, "")
                : new VersionReport(
                        any.processType(),
                        any.version(),
                        processes,
                        VersionReport.Verdict.NEEDS_MAPPING,
                        unknown,
                        "Instances stand on steps that the definition does not have: " + unknown
                                + ". Say in getRenamedSteps() what they are called now, or define the change as version "
                                + (any.version() + 1) + " beside this one. Until then these instances are held.");
    }
}
