package io.waybill.spring.tables;

import io.waybill.command.CommandBus;
import io.waybill.process.ProcessManager;
import io.waybill.spring.SpringFixture;
import io.waybill.testkit.contract.framework.FrameworkTablesContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application of Spring Boot on a database that it migrates itself. */
record RunningApplication(ConfigurableApplicationContext context) implements FrameworkTablesContract.Application {

    static RunningApplication start(Class<?> application, TestDatabase database, String... properties) {
        return new RunningApplication(new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(Stream.concat(
                                Stream.of(
                                        SpringFixture.WITHOUT_JPA,
                                        "spring.datasource.url=" + database.jdbcUrl(),
                                        "spring.datasource.username=" + database.user(),
                                        "spring.datasource.password=" + database.password(),
                                        "waybill.routes[0].pattern=accounts.*",
                                        "waybill.routes[0].url=stdout:"),
                                Stream.of(properties))
                        .toArray(String[]::new))
                .run());
    }

    @Override
    public CommandBus commandBus() {
        return context.getBean(CommandBus.class);
    }

    @Override
    public ProcessManager processManager() {
        return context.getBean(ProcessManager.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
