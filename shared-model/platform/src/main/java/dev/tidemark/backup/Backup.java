package dev.tidemark.backup;

import java.nio.file.Path;

/**
 * A copy that was made.
 *
 * @param bytes of its files, which may share their place on disk with those of the service
 */
public record Backup(String name, Path path, long bytes) {}
