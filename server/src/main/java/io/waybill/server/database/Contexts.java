package io.waybill.server.database;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.waybill.WaybillException;
import io.waybill.server.output.YamlErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Databases that somebody has given a name, in a file of their own that nobody else may read: it may hold passwords.
 *
 * @param current the one that is used when none is named; empty when there is none
 */
record Contexts(Path file, String current, Map<String, Context> all) {

    private static final String FILE_VARIABLE = "WAYBILL_CONTEXTS";
    private static final Set<PosixFilePermission> MINE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> MY_FOLDER = PosixFilePermissions.fromString("rwx------");

    /**
     * A database by name. What is empty was not given.
     *
     * @param password as it is kept here; better is a file for it
     */
    record Context(String db, String password, String passwordFile, String prefix) {

        DatabaseUrl database() {
            DatabaseUrl url = DatabaseUrl.parse(db);
            if (!passwordFile.isEmpty()) {
                return url.withPasswordFile(Path.of(passwordFile));
            }
            return password.isEmpty() ? url : url.withPassword(password);
        }

        /** Where its password comes from, in words. */
        String secret() {
            if (!passwordFile.isEmpty()) {
                return passwordFile;
            }
            return password.isEmpty() && DatabaseUrl.parse(db).password() == null ? "none" : "kept here";
        }
    }

    static Contexts saved() {
        return read(location());
    }

    private static Path location() {
        String given = System.getProperty("waybill.contexts", System.getenv(FILE_VARIABLE));
        if (given != null && !given.isBlank()) {
            return Path.of(given);
        }
        String configured = System.getenv("XDG_CONFIG_HOME");
        Path base = configured == null || configured.isBlank()
                ? Path.of(System.getProperty("user.home"), ".config")
                : Path.of(configured);
        return base.resolve("waybill").resolve("contexts.yaml");
    }

    static Contexts read(Path file) {
        if (!Files.exists(file)) {
            return new Contexts(file, "", Map.of());
        }
        try {
            refuseOpenFile(file);
            Object document = new Load(
                            LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file));
            return parsed(file, document);
        } catch (YamlEngineException e) {
            throw new WaybillException("Could not read the saved contexts from " + file + ": " + YamlErrors.where(e)
                    + ". Fix or remove the file.");
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not read the saved contexts from " + file + ": " + e.getMessage()
                            + ". Fix or remove the file.",
                    e);
        }
    }

    private static Contexts parsed(Path file, Object document) {
        Map<String, Context> all = new TreeMap<>();
        Map<?, ?> top = document instanceof Map<?, ?> map ? map : Map.of();
        if (top.get("contexts") instanceof Map<?, ?> contexts) {
            contexts.forEach((name, value) -> {
                if (value instanceof Map<?, ?> members) {
                    all.put(
                            String.valueOf(name),
                            new Context(
                                    text(members, "db"),
                                    text(members, "password"),
                                    text(members, "password-file"),
                                    text(members, "table-prefix")));
                }
            });
        }
        return new Contexts(file, text(top, "current"), all);
    }

    private static String text(Map<?, ?> members, String key) {
        Object value = members.get(key);
        return value == null ? "" : value.toString();
    }

    private static void refuseOpenFile(Path file) throws IOException {
        if (!hasPermissions(file)) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!MINE.containsAll(permissions)) {
            throw new WaybillException("The saved contexts in " + file
                    + " may be read by others on this machine, and may hold passwords. Run: chmod 600 " + file);
        }
    }

    private static boolean hasPermissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    Optional<Context> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    Context named(String name) {
        return find(name)
                .orElseThrow(() -> new WaybillException("There is no context '" + name + "'. "
                        + (all.isEmpty()
                                ? "Save one: waybill context set " + name + " --db URL"
                                : "Saved are " + String.join(", ", all.keySet()) + ".")));
    }

    /** The first one that is saved is used at once. */
    Contexts with(String name, Context context) {
        var changed = new TreeMap<>(all);
        changed.put(name, context);
        return new Contexts(file, current.isEmpty() ? name : current, changed);
    }

    Contexts without(String name) {
        var changed = new TreeMap<>(all);
        changed.remove(name);
        return new Contexts(file, current.equals(name) ? "" : current, changed);
    }

    Contexts using(String name) {
        named(name);
        return new Contexts(file, name, all);
    }

    void save() {
        Map<String, Object> contexts = new LinkedHashMap<>();
        all.forEach((name, context) -> {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("db", context.db());
            putIfGiven(members, "password", context.password());
            putIfGiven(members, "password-file", context.passwordFile());
            putIfGiven(members, "table-prefix", context.prefix());
            contexts.put(name, members);
        });
        Map<String, Object> document = new LinkedHashMap<>();
        putIfGiven(document, "current", current);
        document.put("contexts", contexts);
        var settings =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        try {
            write(new Dump(settings).dumpToString(document));
        } catch (IOException e) {
            throw new WaybillException("Could not write the contexts to " + file + ": " + e, e);
        }
    }

    private static void putIfGiven(Map<String, Object> members, String key, String value) {
        if (!value.isEmpty()) {
            members.put(key, value);
        }
    }

    /** Written beside and moved, so that nobody ever sees a half of it, or may read it for a moment. */
    private void write(String yaml) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " has no folder");
        }
        Path beside = folder.resolve(file.getFileName() + ".new");
        if (hasPermissions(file)) {
            if (!Files.exists(folder)) {
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(MY_FOLDER));
            }
            Files.deleteIfExists(beside);
            Files.createFile(beside, PosixFilePermissions.asFileAttribute(MINE));
        } else {
            Files.createDirectories(folder);
        }
        Files.writeString(beside, yaml);
        Files.move(beside, file, ATOMIC_MOVE, REPLACE_EXISTING);
    }
}
