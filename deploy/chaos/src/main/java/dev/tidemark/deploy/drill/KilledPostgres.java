package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/**
 * A PostgreSQL ends at once with all its processes, or its first process is killed and leaves the others behind, or one
 * of the others is killed, whereupon it ends the rest and recovers. Or it ends the connections of the writers alone, as
 * {@code pg_terminate_backend} does.
 */
record KilledPostgres(LocalStack stack, ProcessSupervisor supervisor, Random random) implements Fault {
    static final ChildId SERVER = ChildId.first(Role.POSTGRESQL);

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        return switch (random.nextInt(4)) {
            case 0 -> supervisor.end(SERVER, "QUIT", Instant.MIN);
            case 1 -> supervisor.kill(SERVER, Instant.MIN);
            case 2 -> killOneOfItsProcesses();
            default -> endItsConnections();
        };
    }

    private boolean killOneOfItsProcesses() {
        List<ProcessHandle> all = processes();
        return !all.isEmpty() && all.get(random.nextInt(all.size())).destroyForcibly();
    }

    private boolean endItsConnections() {
        List<ProcessHandle> theirs =
                processes().stream().filter(KilledPostgres::isConnection).toList();
        theirs.forEach(ProcessHandle::destroy);
        return !theirs.isEmpty();
    }

    private List<ProcessHandle> processes() {
        return stack.child(SERVER).handle().stream()
                .flatMap(ProcessHandle::children)
                .toList();
    }

    /** The processes of PostgreSQL say in their titles what they do. */
    private static boolean isConnection(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .startsWith("postgres: tidemark ");
        } catch (IOException e) {
            // It has just ended.
            return false;
        }
    }
}
