package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import dev.tidemark.deploy.drill.load.DrillTables;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LoopbackPort;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/**
 * The stack of a drill: what comes seldom in production comes every few seconds in it.
 *
 * @param directory of everything
 * @param secondPort where the second worker answers while it is there
 */
public record DrillStack(Installation installation, Path directory, StackPorts ports, int secondPort) {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    /** One on free ports. */
    public static DrillStack in(Installation installation, Path directory) {
        StackPorts ports = StackPorts.free();
        Set<Integer> taken = Set.of(ports.broker(), ports.controller(), ports.writer(), ports.worker());
        return new DrillStack(installation, directory, ports, LoopbackPort.anyFree(taken));
    }

    /** How the stack is set up; writes the catalog. */
    StackSettings settings() throws IOException {
        Path catalog = directory.resolve("catalog.yaml");
        Files.createDirectories(directory);
        Files.writeString(catalog, DrillTables.catalog(0));
        return StackSettings.of(directory.resolve("stack"), catalog, ports)
                .withStartPatience(START_PATIENCE)
                .with(Role.WRITER, "outbox.retain.records", "100")
                .with(Role.WRITER, "tombstone.delay", "2s")
                .with(Role.WORKER, "rollback.window", "1s")
                .with(Role.WORKER, "verify.interval", "5s")
                .with(Role.WORKER, "kafka.session.timeout.ms", "3000");
    }
}
