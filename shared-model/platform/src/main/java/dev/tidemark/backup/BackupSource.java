package dev.tidemark.backup;

import java.nio.file.Path;

/** Something that can be copied while it is in use. */
@FunctionalInterface
public interface BackupSource {
    /**
     * Makes a copy that is as of one moment.
     *
     * @param directory of the copy; absent, its parent is there
     * @throws RuntimeException when the copy cannot be made
     */
    void copyTo(Path directory);
}
