package io.waybill.spring.settings;

import io.waybill.runtime.PoolUse;
import io.waybill.runtime.TuningCheck;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** Whether the connection pool has room for what runs at once: handlers that wait for a connection keep requests waiting too. */
public final class SpringPoolCheck {

    private static final Logger log = LoggerFactory.getLogger(SpringPoolCheck.class);

    private final SpringSettings settings;
    private final SpringProblems problems;

    public SpringPoolCheck(SpringSettings settings, SpringProblems problems) {
        this.settings = settings;
        this.problems = problems;
    }

    /**
     * Refuses more than the pool has, and warns where what is in use leaves too little of it.
     *
     * @param subscriptions how many there are to brokers
     * @param handles whether anything is handled from the outbox, besides what is tried again
     */
    public void check(
            DataSource dataSource,
            ObjectProvider<DataSourcePoolMetadataProvider> pools,
            int subscriptions,
            boolean handles) {
        var known = new CompositeDataSourcePoolMetadataProvider(
                pools.orderedStream().toList());
        Optional.ofNullable(known.getDataSourcePoolMetadata(dataSource))
                .map(DataSourcePoolMetadata::getMax)
                .ifPresent(size -> check(size, subscriptions, handles));
    }

    private void check(int size, int subscriptions, boolean handles) {
        TuningCheck.inform(size);
        PoolUse use = settings.connectionsAtOnce(subscriptions);
        PoolUse counted = handles ? use : use.withoutHandlers();
        if (use.byRelays() <= size && !counted.isTightIn(size)) {
            return;
        }
        String advice = settings.whatRunsAtOnce(subscriptions) + " may take " + use.connections()
                + " connections at the same time, and the pool has " + size
                + ". Rule: handlers, and the consumers of a queue, are half of the pool at most, as relays and requests need"
                + " connections too. Raise its maximum (spring.datasource.hikari.maximum-pool-size) to "
                + (use.byRelays() > size ? use : counted).pool() + ", or lower the concurrency.";
        if (use.byRelays() > size) {
            problems.add("waybill.handlers.concurrency", settings.handlers(), advice);
        } else {
            log.warn("WB-601 waybill.handlers.concurrency is {}: {}", settings.handlers(), advice);
        }
    }
}
