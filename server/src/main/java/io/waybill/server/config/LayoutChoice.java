package io.waybill.server.config;

import io.waybill.WaybillException;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.MessengerDsn;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which layout a table has, as it is said on the command line or in a file.
 *
 * @param layout nothing for Waybill's own tables
 * @param setup what may be created when it is used
 */
public record LayoutChoice(Optional<Layout> layout, AdoptedTable.Setup setup) {

    static final String NATIVE = "native";

    /** Layouts whose table the relay creates itself; the others belong to an application. */
    private static final Set<String> CREATED = Set.of("kafka-outbox", "messenger", "messenger-ordered");

    /**
     * The choice by name, or by the URL of a Messenger transport.
     *
     * @param table empty for the usual one
     * @param destination one for all messages; empty to read it from the table
     */
    static LayoutChoice of(String name, String table, String destination) {
        if (MessengerDsn.isOne(name)) {
            MessengerDsn dsn = MessengerDsn.parse(name);
            Layout layout = table.isEmpty() ? dsn.layout() : dsn.layout().withTable(table);
            return new LayoutChoice(
                    Optional.of(layout),
                    !dsn.autoSetup()
                            ? AdoptedTable.Setup.NOTHING
                            : dsn.creates() ? AdoptedTable.Setup.EVERYTHING : AdoptedTable.Setup.UPGRADE);
        }
        if (name.equals(NATIVE)) {
            if (!table.isEmpty()) {
                throw new WaybillException("Waybill's own tables have fixed names, so --table (" + table
                        + ") says nothing. Choose a --layout, or a --table-prefix.");
            }
            return new LayoutChoice(Optional.empty(), AdoptedTable.Setup.EVERYTHING);
        }
        Layout layout = Layouts.named(name);
        layout = table.isEmpty() ? layout : layout.withTable(table);
        layout = destination.isEmpty() ? layout : layout.withDestination(destination);
        AdoptedTable.Setup setup = table.isEmpty() ? AdoptedTable.Setup.EVERYTHING : AdoptedTable.Setup.UPGRADE;
        return new LayoutChoice(Optional.of(layout), CREATED.contains(name) ? setup : AdoptedTable.Setup.BESIDE);
    }

    /** The same for an application that writes times of this zone. */
    LayoutChoice in(ZoneId zone) {
        if (layout.isEmpty()) {
            throw new WaybillException(
                    "Waybill's own tables have times of UTC, so a time zone (" + zone + ") says nothing.");
        }
        return new LayoutChoice(layout.map(one -> one.withZone(zone)), setup);
    }

    /** The same with names for classes of messages. */
    LayoutChoice naming(Map<String, String> types) {
        return types.isEmpty() ? this : new LayoutChoice(layout.map(one -> one.withTypes(types)), setup);
    }

    /** The same for somebody who wants the table to be created if it is not there. */
    LayoutChoice creating() {
        return new LayoutChoice(layout, setup == AdoptedTable.Setup.UPGRADE ? AdoptedTable.Setup.EVERYTHING : setup);
    }

    public boolean isAdopted() {
        return layout.isPresent();
    }
}
