package io.waybill.jdbc.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** A schema file, ready for its database and prefix. */
public record SchemaScript(String name, String text) {

    static SchemaScript version(String name, Dialect dialect, String prefix) {
        return load("/io/waybill/schema/" + dialect.folder() + "/", name, dialect, prefix);
    }

    /** Adoptions stand aside of the versions, so that Flyway does not see them. */
    static SchemaScript adoption(String name, Dialect dialect, String prefix) {
        return load("/io/waybill/schema/adopt/" + dialect.folder() + "/", name, dialect, prefix);
    }

    /** What only some settings need. */
    static SchemaScript optional(String name, Dialect dialect, String prefix) {
        return load("/io/waybill/schema/optional/" + dialect.folder() + "/", name, dialect, prefix);
    }

    private static SchemaScript load(String folder, String name, Dialect dialect, String prefix) {
        String path = folder + name + ".sql";
        try (InputStream in = SchemaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new WaybillException("The file " + path + " is missing from the jar of waybill-jdbc.");
            }
            return new SchemaScript(name, dialect.sql(new String(in.readAllBytes(), UTF_8), prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Our own files put a semicolon at the end of a line only where a statement ends. */
    public List<SchemaStatement> statements() {
        return Arrays.stream(text.split(";\\s*(\\n|$)"))
                .filter(statement -> !statement.isBlank())
                .map(statement -> SchemaStatement.of(statement.strip()))
                .toList();
    }
}
