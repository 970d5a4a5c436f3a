package io.waybill.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Entities and messages of one JPA transaction are one commit. */
final class JpaApplicationTest {

    private static TestDatabase database;
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        database = Postgres.shared().newDatabase();
        context = new SpringApplicationBuilder(Library.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "spring.jpa.hibernate.ddl-auto=update")
                .run();
    }

    @AfterAll
    static void stop() {
        context.close();
        database.close();
    }

    @Test
    void an_entity_and_its_message_share_their_fate() {
        assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
        Books books = context.getBean(Books.class);

        books.add("Emma", true);
        assertThatThrownBy(() -> books.add("Ulysses", false)).hasMessage("no Ulysses");

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(titles()).containsExactly("Emma", "Emma, heard of"));
        assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM outbox", Long.class))
                .isEqualTo(1);
    }

    private static List<String> titles() {
        return context.getBean(JdbcTemplate.class).queryForList("SELECT title FROM book ORDER BY title", String.class);
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = JpaApplicationTest.class)
    @Import(Books.class)
    static class Library {}

    /** A row. */
    @Entity(name = "book")
    static class Book {
        @Id
        private String title;

        @SuppressWarnings("NullAway.Init")
        protected Book() {}

        Book(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /** Writes entities and messages. */
    @Component
    @Transactional
    static class Books {
        @PersistenceContext
        @SuppressWarnings("NullAway.Init")
        private EntityManager entities;

        private final Outbox outbox;

        @SuppressWarnings("NullAway.Init")
        Books(Outbox outbox) {
            this.outbox = outbox;
        }

        public void add(String title, boolean good) {
            entities.persist(new Book(title));
            outbox.append(Message.event("BookAdded", title).as("text/plain").to("books.added"));
            if (!good) {
                throw new IllegalStateException("no " + title);
            }
        }

        @SubscribeTo("books.added")
        public void hear(String title) {
            entities.persist(new Book(entities.find(Book.class, title).title() + ", heard of"));
        }
    }
}
