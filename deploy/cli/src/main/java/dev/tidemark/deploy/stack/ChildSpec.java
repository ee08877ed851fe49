package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.util.ArrayList;
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

    public Path pidFile() {
        return directory.resolve(id.label() + ".pid");
    }

    public Path logFile() {
        return directory.resolve(id.label() + ".log");
    }
}
