package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;

import io.waybill.jdbc.ops.RelayNode;
import io.waybill.jdbc.ops.RelayNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Relays with their shards, and handlers with what they have handled. */
final class RelayApi {

    private static final String DATABASE = "/api/databases/{database}";
    private static final long MAX_HOURS = 168;

    private RelayApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(DATABASE + "/relays", "Relays that live, and their shards", RelayList.class, RelayApi::relays),
                get(
                        DATABASE + "/inbox",
                        "How much each handler has handled within these hours",
                        HandlerList.class,
                        RelayApi::inbox,
                        "hours"));
    }

    record RelayView(
            String relay,
            String pool,
            int shards,
            boolean alive,
            boolean overdue,
            Instant startedAt,
            Instant renewedAt,
            long leaseRemainingMillis) {

        static RelayView of(RelayNode node) {
            return new RelayView(
                    node.relay(),
                    node.pool(),
                    node.shards(),
                    node.isAlive(),
                    node.isOverdue(),
                    node.startedAt(),
                    node.renewedAt(),
                    node.left().toMillis());
        }
    }

    /** @param owner empty when no relay has the shard */
    record LeaseView(String pool, int shard, String owner, String token, boolean valid, long remainingMillis) {

        static LeaseView of(RelayNodes.ShardLease lease) {
            return new LeaseView(
                    lease.pool(),
                    lease.shard(),
                    lease.owner(),
                    String.valueOf(lease.token()),
                    !lease.owner().isEmpty() && !lease.left().isNegative(),
                    lease.left().toMillis());
        }
    }

    record RelayList(List<RelayView> relays, List<LeaseView> leases) {}

    record HandlerView(String handler, long handled, Instant last) {}

    record HandlerList(List<HandlerView> items) {}

    private static RelayList relays(ApiCall call) {
        var store = call.database().store();
        return new RelayList(
                store.relayNodes().stream().map(RelayView::of).toList(),
                store.leases().stream().map(LeaseView::of).toList());
    }

    private static HandlerList inbox(ApiCall call) {
        var store = call.database().store();
        var within = Duration.ofHours(Math.max(1, Math.min(MAX_HOURS, call.number("hours", 1))));
        return new HandlerList(
                store
                        .transactions()
                        .inTransaction(transaction -> store.inboxStore().stats(transaction, within))
                        .stream()
                        .map(one -> new HandlerView(one.handler(), one.handled(), one.last()))
                        .toList());
    }
}
