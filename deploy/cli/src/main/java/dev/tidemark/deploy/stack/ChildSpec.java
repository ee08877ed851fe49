package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.util.List;

/**
 * How one child is started.
 *
 * @param role which of the three
 * @param command program and arguments
 * @param directory where {@code ROLE.pid} and {@code ROLE.log} are kept; must exist
 */
public record ChildSpec(Role role, List<String> command, Path directory) {

    public ChildSpec {
        command = List.copyOf(command);
    }

    public Path pidFile() {
        return directory.resolve(role.label() + ".pid");
    }

    public Path logFile() {
        return directory.resolve(role.label() + ".log");
    }
}
