package dev.tidemark.worker.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The name of this worker in its consumer group. */
public final class InstanceId {
    private static final String FILE = "instance.id";

    private InstanceId() {}

    /**
     * The name that a setting means.
     *
     * @param setting {@code auto} for one that is made once and kept in the directory, {@code none} for no name,
     *     anything else for itself
     * @return the name; empty for none
     */
    public static String of(String setting, Path directory) {
        return switch (setting) {
            case "auto" -> kept(directory.resolve(FILE));
            case "none" -> "";
            default -> setting;
        };
    }

    private static String kept(Path file) {
        try {
            String known = Files.exists(file) ? Files.readString(file).strip() : "";
            if (!known.isBlank()) {
                return known;
            }
            String made = "worker-" + UUID.randomUUID();
            Files.writeString(file, made);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to keep the worker's name in " + file + ", but " + e, e);
        }
    }
}
