package io.waybill.spring.thread;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.spring.SpringFixture;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Many virtual threads of Spring Boot append at once, and wait for the reply to a command. It fails unless all have done it. */
final class VirtualApplication {

    private static final int THREADS = 200;
    private static final Duration SOON = Duration.ofSeconds(40);

    private final ApplicationContext context;
    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();

    private VirtualApplication(ApplicationContext context) {
        this.context = context;
    }

    public static void main(String... arguments) throws InterruptedException {
        try (var context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        SpringFixture.WITHOUT_JPA,
                        "spring.datasource.url=jdbc:h2:mem:virtual",
                        "spring.threads.virtual.enabled=true")
                .run()) {
            new VirtualApplication(context).run();
        }
    }

    private void run() throws InterruptedException {
        var done = new CountDownLatch(THREADS);
        var threads = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.execute(() -> {
                try {
                    work(number);
                } finally {
                    done.countDown();
                }
            });
        }
        if (!done.await(SOON.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(done.getCount() + " threads still work.");
        }
        Set<String> heard = context.getBean(Ear.class).heard;
        await().atMost(SOON).until(() -> heard.size() == THREADS);
        if (appended.get() != THREADS || answered.get() != THREADS) {
            throw new IllegalStateException(appended + " of " + THREADS + " virtual threads have appended, and "
                    + answered + " were answered.");
        }
    }

    private void work(int number) {
        // Compiled for Java 17: the name of their group says what they are.
        String group = Thread.currentThread().getThreadGroup().getName();
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .append(Message.event("Said", group + number)
                                .as("text/plain")
                                .to("heard")));
        if (group.equals("VirtualThreads")) {
            appended.incrementAndGet();
        }
        context.getBean(CommandBus.class)
                .send(new CountCommand(number), idempotencyKey("count " + number))
                .await(SOON);
        answered.incrementAndGet();
    }

    /** A command. */
    public record CountCommand(int number) implements DomainCommand {}

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Ear.class)
    static class Application {}

    /** Handles. */
    public static class Ear {
        final Set<String> heard = ConcurrentHashMap.newKeySet();

        @SubscribeTo("heard")
        public void hear(String what) {
            heard.add(what);
        }

        public int count(CountCommand command) {
            return command.number();
        }
    }
}
