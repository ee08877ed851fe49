package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.util.List;

/**
 * How one child is started.
 *
 * @param command program and arguments
 * @param directory where its pid and log files are kept, named after it; must exist
 */
public record ChildSpec(ChildId id, List<String> command, Path directory) {

    public ChildSpec {
        command = List.copyOf(command);
    }

    public Path pidFile() {
        return directory.resolve(id.label() + ".pid");
    }

    public Path logFile() {
        return directory.resolve(id.label() + ".log");
    }
}
