package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.micronaut.context.ApplicationContext;
import io.waybill.micronaut.framework.Unworkable;
import io.waybill.testkit.contract.framework.FrameworkHandlersContract;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.HashMap;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;

final class HandlersTest extends FrameworkHandlersContract {

    private final TestDatabase database = H2.newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Override
    protected Throwable refusal(Kind... kinds) {
        var properties = new HashMap<String, Object>();
        properties.put("datasources.default.url", database.jdbcUrl());
        properties.put("datasources.default.username", database.user());
        properties.put("datasources.default.password", "");
        for (Kind kind : kinds) {
            properties.put("unworkable." + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), true);
        }
        return Objects.requireNonNull(
                catchThrowable(() -> ApplicationContext.run(properties).close()), "it has started");
    }

    @Override
    protected Class<?> handler(Kind kind) {
        return switch (kind) {
            case PROTOTYPE -> Unworkable.OfNobody.class;
            case REQUEST_SCOPE -> Unworkable.OfRequest.class;
            case HIDDEN_BY_INTERFACE -> Unworkable.Hidden.class;
            case ASYNC -> Unworkable.Asynchronous.class;
            case FUTURE -> Unworkable.Later.class;
            case ISOLATION -> Unworkable.Isolated.class;
            case UNRESOLVED -> Unworkable.Unresolved.class;
            case SUSPENDING -> Unworkable.Suspending.class;
        };
    }
}
