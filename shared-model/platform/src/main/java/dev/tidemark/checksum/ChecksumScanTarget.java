package dev.tidemark.checksum;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Files that belong together, and are put right together. */
public interface ChecksumScanTarget {
    /** The files there are now, with their bytes. */
    Map<Path, Long> files();

    /** Reads a file and compares it with its checksums; what is wrong, empty where nothing is or the file is gone. */
    Optional<String> look(Path file);

    /** Called with what is wrong when a file is found damaged. */
    void damaged(String what);
}
