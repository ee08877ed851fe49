package dev.tidemark.worker.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which files of a directory belong to its database. Locks and logs of messages do not. */
final class ShardFileNames {
    private static final Pattern OWN = Pattern.compile("CURRENT|(MANIFEST|OPTIONS)-\\d+|\\d+\\.(sst|log|blob)");

    private ShardFileNames() {}

    /** The names in a directory, in their order. */
    static List<String> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> OWN.matcher(name).matches())
                    .sorted()
                    .toList();
        }
    }

    /** Whether a file never changes once its database has it. */
    static boolean isTable(String name) {
        return name.endsWith(".sst") || name.endsWith(".blob");
    }
}
