package dev.tidemark.deploy.drill;

import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/**
 * A PostgreSQL ends at once with all its processes, or its first process is killed and leaves the others behind, or one
 * of the others is killed, whereupon it ends the rest and recovers.
 */
record KilledPostgres(LocalStack stack, ProcessSupervisor supervisor, Random random) implements Fault {
    static final ChildId SERVER = ChildId.first(Role.POSTGRESQL);

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        return switch (random.nextInt(3)) {
            case 0 -> supervisor.end(SERVER, "QUIT", Instant.MIN);
            case 1 -> supervisor.kill(SERVER, Instant.MIN);
            default -> killOneOfItsProcesses();
        };
    }

    private boolean killOneOfItsProcesses() {
        List<ProcessHandle> all = stack.child(SERVER).handle().stream()
                .flatMap(ProcessHandle::children)
                .toList();
        return !all.isEmpty() && all.get(random.nextInt(all.size())).destroyForcibly();
    }
}
