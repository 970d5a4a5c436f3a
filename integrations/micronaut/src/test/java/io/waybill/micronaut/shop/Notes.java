package io.waybill.micronaut.shop;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.CrudRepository;

/** Notes, saved by Micronaut Data. */
@JdbcRepository(dialect = Dialect.ANSI)
public interface Notes extends CrudRepository<Notes.Note, String> {

    /** A note. */
    @MappedEntity("note")
    record Note(@Id String id, String text) {}
}
