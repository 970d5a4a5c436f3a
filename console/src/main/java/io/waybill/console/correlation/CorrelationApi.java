package io.waybill.console.correlation;

import static io.waybill.console.api.ApiRoute.get;

import io.waybill.console.api.ApiCall;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiRoute;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What belongs together, as a tree of causes and effects. */
public final class CorrelationApi {

    /** Up to ten processes are read, and messages and commands searched. */
    private static final int COST = 45;

    private CorrelationApi() {}

    public static List<ApiRoute> routes() {
        return List.of(get(
                        "/api/databases/{database}/correlation",
                        "Processes, commands and messages of one correlation id: each behind its cause",
                        CorrelationView.class,
                        CorrelationApi::show,
                        "id")
                .costing(COST));
    }

    /**
     * One of them.
     *
     * @param kind {@code process}, {@code command}, {@code message} or {@code failed}
     * @param link what its own route is asked for with
     * @param parent the id of what caused it; null when that is not known
     */
    record CorrelatedView(
            String id,
            String kind,
            String link,
            String name,
            String status,
            String note,
            Instant at,
            @Nullable String parent,
            int depth) {

        static CorrelatedView of(CauseTree.Placed placed) {
            CorrelatedItem item = placed.item();
            return new CorrelatedView(
                    item.id(),
                    item.kind().name().toLowerCase(Locale.ROOT),
                    item.link(),
                    item.name(),
                    item.status(),
                    item.note(),
                    item.at(),
                    placed.parent(),
                    placed.depth());
        }
    }

    /**
     * A tree, as a list in which each is behind its cause.
     *
     * @param more whether there is more than is shown
     * @param searched how many of the latest messages are searched
     */
    record CorrelationView(String correlation, List<CorrelatedView> items, boolean more, int searched) {}

    private static CorrelationView show(ApiCall call) {
        String correlation = call.text("id");
        if (correlation.isEmpty()) {
            return new CorrelationView("", List.of(), false, CorrelationSearch.MAX_SEARCHED);
        }
        if (correlation.length() > 255) {
            throw ApiError.invalid("A correlation id has at most 255 characters.");
        }
        Collection<CorrelatedItem> items = CorrelationSearch.of(call.database(), correlation);
        List<CorrelatedView> placed = CauseTree.of(items).stream()
                .limit(CorrelationSearch.MAX_ITEMS)
                .map(CorrelatedView::of)
                .toList();
        return new CorrelationView(
                correlation, placed, items.size() > CorrelationSearch.MAX_ITEMS, CorrelationSearch.MAX_SEARCHED);
    }
}
