package io.waybill.jdbc.internal.lease;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.waybill.store.outbox.Lease;
import java.util.Collection;
import java.util.TreeMap;

/** Conditions on rows of {@code relay_lease}. For the packages of this module only. */
public final class HeldLeasesSql {

    private HeldLeasesSql() {}

    /** It is one of these leases, and they still have these tokens. The names of pools are letters, digits, dots and dashes. */
    public static String are(Collection<Lease> leases) {
        return leases.stream().collect(groupingBy(Lease::pool, TreeMap::new, toList())).entrySet().stream()
                .map(pool -> pool.getValue().stream()
                        .map(lease -> "(" + lease.shard() + ", " + lease.token() + ")")
                        .collect(joining(", ", "pool = '" + pool.getKey() + "' AND (shard, token) IN (", ")")))
                .collect(joining(" OR ", "(", ")"));
    }
}
