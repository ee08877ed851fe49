package dev.tidemark.writer.database;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.settings.BadSettingsException;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

/**
 * Where the fact tables are.
 *
 * @param url {@link #ROCKSDB}, or the JDBC URL of a PostgreSQL database
 * @param user of that database; empty for the user of the process
 * @param passwordFile read at each connection; empty for none
 */
public record FactsSettings(String url, Optional<String> user, Optional<Path> passwordFile) {
    /** The fact tables are in the data directory. */
    public static final String ROCKSDB = "rocksdb";

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final Pattern PASSWORD = Pattern.compile("password\\s*=|//[^/?]*@");

    /**
     * The settings in the given values.
     *
     * @throws BadSettingsException when they contradict each other, or the URL holds a password
     */
    public static FactsSettings of(AbstractConfig settings) throws BadSettingsException {
        String url = settings.getString("facts.url").strip();
        Optional<String> user = text(settings, "facts.user");
        Optional<Path> file = text(settings, "facts.password.file").map(Path::of);
        // No message shows the URL, because it may hold a password.
        if (PASSWORD.matcher(url.toLowerCase(Locale.ROOT)).find()) {
            throw new BadSettingsException("expected facts.url without a password, because others can read it there;"
                    + " write the password to a file, and name the file as facts.password.file");
        }
        if (url.equals(ROCKSDB) && (user.isPresent() || file.isPresent())) {
            throw new BadSettingsException("expected facts.user and facts.password.file only with facts.url="
                    + POSTGRESQL + "//…, but the fact tables are in RocksDB");
        }
        if (!url.equals(ROCKSDB) && !url.startsWith(POSTGRESQL)) {
            throw new BadSettingsException(
                    "expected facts.url to be " + ROCKSDB + " or to begin with " + POSTGRESQL + "//");
        }
        return new FactsSettings(url, user, file);
    }

    /** Whether the fact tables are in PostgreSQL. */
    public boolean isPostgres() {
        return !url.equals(ROCKSDB);
    }

    /** Adds the settings to a definition. */
    public static void define(ConfigDef definition) {
        definition
                .define(
                        "facts.url",
                        STRING,
                        ROCKSDB,
                        HIGH,
                        "Where the fact tables are: rocksdb for the data directory, or jdbc:postgresql://HOST/DATABASE.")
                .define(
                        "facts.user",
                        STRING,
                        "",
                        MEDIUM,
                        "User of the PostgreSQL database; empty for the one of the process.")
                .define(
                        "facts.password.file",
                        STRING,
                        "",
                        MEDIUM,
                        "File with the password of that user, for its owner alone. It is read at each connection.");
    }

    private static Optional<String> text(AbstractConfig settings, String key) {
        return Optional.of(settings.getString(key).strip()).filter(value -> !value.isEmpty());
    }
}
