package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;
import static io.waybill.console.api.MessageApi.text;

import io.waybill.console.operation.Operation.Result;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.jdbc.ops.RelayNodes;
import io.waybill.ops.OutboxOperations;
import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.store.outbox.PausedDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Relays with their shards and destinations, and handlers with what they have handled. */
final class RelayApi {

    private static final String DATABASE = "/api/databases/{database}";
    private static final long MAX_HOURS = 168;

    private RelayApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(DATABASE + "/relays", "Relays that live, and their shards", RelayList.class, RelayApi::relays),
                get(
                        DATABASE + "/routes",
                        "Which destinations each relay serves, and which are paused",
                        RouteList.class,
                        RelayApi::served),
                post(
                        DATABASE + "/destinations/pause",
                        "Let relays send nothing to a destination until it is resumed",
                        DestinationChange.class,
                        Action.Done.class,
                        RelayApi::pause),
                post(
                        DATABASE + "/destinations/resume",
                        "Let relays send to a paused destination again",
                        DestinationChange.class,
                        Action.Done.class,
                        RelayApi::resume),
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

    /**
     * A route of a relay.
     *
     * @param destinations a pattern
     * @param target {@code broker}, {@code handler}, or {@code local} for whatever handles the destination in the process of the relay
     */
    record RouteView(String destinations, String target) {}

    record RelayRoutes(String relay, String pool, List<RouteView> routes) {

        static RelayRoutes of(RelayNode node) {
            return new RelayRoutes(
                    node.relay(),
                    node.pool(),
                    AdvertisedDestinations.of(node.serves()).routes().stream()
                            .map(route -> new RouteView(route.destinations(), route.target()))
                            .toList());
        }
    }

    /** A destination that is paused. */
    record PausedView(String destination, String reason, String operator, Instant since) {

        static PausedView of(PausedDestination paused) {
            return new PausedView(paused.destination(), paused.reason(), paused.operator(), paused.since());
        }
    }

    record RouteList(List<RelayRoutes> relays, List<PausedView> paused) {}

    record DestinationChange(
            @Nullable String destination, @Nullable String reason) {}

    private static Action.Done pause(ApiCall call) {
        return change(
                call,
                "pause",
                "paused",
                (outbox, change) -> outbox.pause(
                        text(change.destination()),
                        text(change.reason()),
                        call.identity().name()));
    }

    private static Action.Done resume(ApiCall call) {
        return change(call, "resume", "resumed", (outbox, change) -> outbox.resume(text(change.destination())));
    }

    private static Action.Done change(
            ApiCall call, String verb, String done, BiConsumer<OutboxOperations, DestinationChange> work) {
        DestinationChange change = call.body(DestinationChange.class);
        String destination = text(change.destination());
        if (destination.isBlank()) {
            throw ApiError.invalid("Give the destination.");
        }
        String command = "waybill outbox " + verb + " " + Action.quoted(destination);
        return Action.run(call, command, text(change.reason()), progress -> {
            work.accept(call.database().outbox(), change);
            return new Result(destination + " is " + done, 1, 0);
        });
    }

    private static RouteList served(ApiCall call) {
        ConsoleDatabase database = call.database();
        return new RouteList(
                database.store().relayNodes().stream()
                        .filter(RelayNode::isAlive)
                        .map(RelayRoutes::of)
                        .toList(),
                database.outbox().paused().stream().map(PausedView::of).toList());
    }

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
