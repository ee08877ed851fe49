package dev.tidemark.deploy.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a backup holds of a service, in the order in which it is copied. */
public enum BackupPart {
    /** The shards are first: what they lack is in the topics, and so their tables are never behind them. */
    WORKER("shards"),
    WRITER("facts");

    private final String directory;

    BackupPart(String directory) {
        this.directory = directory;
    }

    /** The one that is wanted, or all of them. */
    public static List<BackupPart> chosen(Optional<BackupPart> only) {
        return Stream.of(values())
                .filter(part -> only.isEmpty() || part == only.get())
                .toList();
    }

    /** Where it is in a backup, and in the data directory of a stack. */
    Path path() {
        return Path.of(toString(), directory);
    }

    /** The service, as commands name it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
