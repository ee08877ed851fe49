package dev.tidemark.deploy.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.settings.BadSettingsException;

/** Options that say where the writers of a stack keep the fact tables. */
final class FactsOptions {
    private static final String ROCKSDB = "rocksdb";

    @Option(
            names = "--facts",
            paramLabel = "WHERE",
            defaultValue = ROCKSDB,
            description = "Where the fact tables are: rocksdb, or postgresql for one that is started in DIR, or"
                    + " jdbc:postgresql://HOST:PORT/DATABASE for one that runs (default: ${DEFAULT-VALUE}).")
    private String facts = ROCKSDB;

    @Option(names = "--facts-user", paramLabel = "NAME", description = "The user of the PostgreSQL that runs.")
    private String user = "";

    @Option(
            names = "--facts-password-file",
            paramLabel = "FILE",
            description = "A file with the password of that user.")
    private @Nullable Path password;

    /**
     * The same stack with its facts there.
     *
     * @throws BadSettingsException when the options name no place, or a password
     */
    StackSettings in(StackSettings settings) throws BadSettingsException {
        boolean runs = facts.startsWith(FactsPlace.JDBC);
        if (!runs && (!user.isEmpty() || password != null)) {
            throw new BadSettingsException(
                    "expected --facts-user and --facts-password-file only with --facts " + FactsPlace.JDBC + "//…");
        }
        if (facts.toLowerCase(Locale.ROOT).contains("password=")) {
            throw new BadSettingsException("expected no password in --facts, because others can read command lines;"
                    + " name a file with --facts-password-file");
        }
        if (runs) {
            return settings.withFacts(FactsPlace.at(facts, user, Optional.ofNullable(password)));
        }
        return switch (facts) {
            case ROCKSDB -> settings;
            case FactsPlace.POSTGRESQL -> settings.withOwnPostgresql();
            default ->
                throw new BadSettingsException("expected --facts " + ROCKSDB + ", " + FactsPlace.POSTGRESQL + " or "
                        + FactsPlace.JDBC + "//…, but got " + facts);
        };
    }
}
