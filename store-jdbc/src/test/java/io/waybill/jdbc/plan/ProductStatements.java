package io.waybill.jdbc.plan;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.sql.Dialect;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The statements that stand in constants of the product's classes. */
final class ProductStatements {

    private static final Pattern STATEMENT = Pattern.compile("\\s*\\(?(SELECT|UPDATE|DELETE|WITH)\\s[^\\x00]*");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{\\w+}");

    private ProductStatements() {}

    /** Constants whose statement has not been run, by class and name. */
    static List<String> missingFrom(Collection<RecordedStatement> recorded, Dialect dialect) throws Exception {
        var missing = new ArrayList<String>();
        for (Class<?> type : productClasses()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                    field.setAccessible(true);
                    String template = (String) field.get(null);
                    String name = type.getSimpleName() + "." + field.getName();
                    if (STATEMENT.matcher(template).matches() && isFor(dialect, name) && !occurs(template, recorded)) {
                        missing.add(name);
                    }
                }
            }
        }
        return missing;
    }

    /** Whether a statement was run that has the parts of the template, in their order, with anything in between. */
    private static boolean occurs(String template, Collection<RecordedStatement> recorded) {
        List<String> parts =
                Stream.of(PLACEHOLDER.split(template, -1)).map(String::strip).toList();
        return recorded.stream().anyMatch(statement -> hasInOrder(statement.sql(), parts));
    }

    private static boolean hasInOrder(String sql, List<String> parts) {
        int at = 0;
        for (String part : parts) {
            int found = sql.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }

    /** The schema is changed once; the rest is for this database unless its name says otherwise. */
    private static boolean isFor(Dialect dialect, String name) {
        if (name.matches("(Schema|Adoption).*")) {
            return false;
        }
        return switch (dialect) {
            case POSTGRESQL -> !name.startsWith("Portable") && !name.matches(".*_ON_(MYSQL|H2|PORTABLE)");
            case MARIADB, MYSQL ->
                !name.matches("(Postgres|VisibilityHorizon).*") && !name.matches(".*_ON_(POSTGRESQL|H2)");
            case H2 -> !name.matches("(Postgres|VisibilityHorizon).*") && !name.matches(".*_ON_(POSTGRESQL|MYSQL)");
        };
    }

    private static List<Class<?>> productClasses() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(JdbcStore.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var classes = new ArrayList<Class<?>>();
        try (var files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString().replace('/', '.');
                // Those of layouts are about the tables of others; their own tests count the rows that they read.
                if (!name.endsWith("package-info.class") && !name.contains(".layout.")) {
                    classes.add(Class.forName(name.substring(0, name.length() - ".class".length())));
                }
            }
        }
        return classes;
    }
}
