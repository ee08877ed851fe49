package dev.tidemark.deploy.stack;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where the writers of a stack keep the fact tables.
 *
 * @param kind of store
 * @param url of a PostgreSQL, as JDBC has it; empty for RocksDB
 * @param user of the PostgreSQL; empty for what the URL says
 * @param password a file that has the password; empty for what the URL says
 */
public record FactsPlace(Kind kind, String url, String user, Optional<Path> password) {
    /** RocksDB, in the directory of the writer. */
    public static final FactsPlace ROCKSDB = new FactsPlace(Kind.ROCKSDB, "", "", Optional.empty());

    /** How it is named on command lines. */
    public static final String POSTGRESQL = "postgresql";

    /** What a URL of a PostgreSQL begins with. */
    public static final String JDBC = "jdbc:postgresql:";

    /** What keeps the fact tables. */
    public enum Kind {
        ROCKSDB,
        /** A PostgreSQL that is a child of the stack. */
        OWN_POSTGRESQL,
        /** A PostgreSQL that runs anyway. */
        POSTGRESQL
    }

    /** The PostgreSQL of a stack, whose data is in a directory. */
    static FactsPlace own(PostgresDirectory directory, int port) {
        return new FactsPlace(
                Kind.OWN_POSTGRESQL,
                JDBC + "//127.0.0.1:" + port + "/" + PostgresDirectory.NAME,
                PostgresDirectory.NAME,
                Optional.of(directory.password()));
    }

    /** A PostgreSQL that runs anyway. */
    public static FactsPlace at(String url, String user, Optional<Path> password) {
        return new FactsPlace(Kind.POSTGRESQL, url, user, password);
    }

    /** The port of a PostgreSQL, where the URL has one. */
    public int port() {
        return URI.create(url.substring("jdbc:".length())).getPort();
    }

    /** Whether several writers can share it. */
    public boolean isShared() {
        return kind != Kind.ROCKSDB;
    }

    /** How a writer is to be set up. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        if (isShared()) {
            settings.put("facts.url", url);
            if (!user.isEmpty()) {
                settings.put("facts.user", user);
            }
            password.ifPresent(file ->
                    settings.put("facts.password.file", file.toAbsolutePath().toString()));
        }
        return settings;
    }
}
