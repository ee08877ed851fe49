package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /**
     * Another process of the same kind.
     *
     * @param settings each {@code key=value}, in place of what this one has
     */
    public ChildSpec another(ChildId other, Path itsDirectory, List<String> settings) {
        List<String> more = new ArrayList<>(command);
        settings.forEach(setting -> more.addAll(List.of("--set", setting)));
        return new ChildSpec(other, more, itsDirectory);
    }

    /** Where the process is; empty for where its parent is. PostgreSQL has to be able to return there. */
    Optional<Path> workingDirectory() {
        return id.role() == Role.POSTGRESQL
                ? Optional.of(new PostgresDirectory(directory.resolve(id.label())).data())
                : Optional.empty();
    }

    public Path pidFile() {
        return directory.resolve(id.label() + ".pid");
    }

    public Path logFile() {
        return directory.resolve(id.label() + ".log");
    }
}
