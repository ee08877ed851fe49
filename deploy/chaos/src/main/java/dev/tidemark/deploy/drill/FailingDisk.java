package dev.tidemark.deploy.drill;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.deploy.drill.machine.Tracer;
import dev.tidemark.deploy.stack.Role;

/**
 * The system calls in question fail. Only the service itself restores its operation afterwards: a worker opens its
 * shards again, and a writer exits, so that its supervisor, here the {@link ProcessSupervisor}, starts it.
 */
final class FailingDisk implements Fault {
    private static final String SYNCS = "fsync,fdatasync";

    /** The virtual machine reads its own files in the same way. */
    private static final String READS = "pread64";

    /** The end of the names of logs of stores. */
    private static final String LOG = ".log";

    private static final Duration LEAST = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofSeconds(45);

    private final ProcessSupervisor supervisor;
    private final boolean reading;
    private @Nullable Tracer tracer;
    private Role victim = Role.WRITER;
    private Instant begun = Instant.MIN;
    private Instant failing = Instant.MAX;

    /**
     * Makes calls to a disk fail.
     *
     * @param reading whether reads of the table files fail; otherwise every sync of a file
     */
    FailingDisk(ProcessSupervisor supervisor, boolean reading) {
        this.supervisor = supervisor;
        this.reading = reading;
    }

    @Override
    public boolean begin(Role role, Instant time) throws InterruptedException {
        // Who has just come back finds its rows in tables, and none of them in memory.
        if (reading && !supervisor.kill(role, Instant.MIN)) {
            return false;
        }
        victim = role;
        begun = time;
        tracer = null;
        failing = Instant.MAX;
        tick(time);
        return reading || tracer != null;
    }

    @Override
    public void tick(Instant time) {
        if (tracer != null || !supervisor.isServing(victim)) {
            return;
        }
        List<Path> files = reading ? tablesIn(supervisor.dataOf(victim).toFile()) : List.of();
        Optional<Long> pid = supervisor.pid(victim);
        try {
            if (pid.isPresent() && (!reading || !files.isEmpty())) {
                Path log = supervisor.dataOf(victim).resolveSibling("strace.log");
                tracer = Tracer.failing(pid.get(), reading ? READS : SYNCS, files, log);
                failing = time;
                supervisor.mayGiveUp(victim);
            }
        } catch (MachineException e) {
            throw new IllegalStateException("Expected strace, which was there before, but " + e.getMessage(), e);
        }
    }

    /** Files may come and go meanwhile. */
    private static List<Path> tablesIn(File directory) {
        List<Path> tables = new ArrayList<>();
        for (File file : Objects.requireNonNullElse(directory.listFiles(), new File[0])) {
            if (file.isDirectory()) {
                tables.addAll(tablesIn(file));
            } else if (file.getName().endsWith(".sst")) {
                tables.add(file.toPath());
            }
        }
        return tables;
    }

    @Override
    public boolean end(Instant now) {
        boolean enough = tracer != null && !now.isBefore(failing.plus(LEAST)) && !mustEnd();
        if (!enough && now.isBefore(begun.plus(LONGEST))) {
            return false;
        }
        if (tracer != null) {
            tracer.close();
            if (mustEnd()) {
                supervisor.differ("the writer goes on though its log could not be synced");
            }
        }
        return true;
    }

    /** A writer whose log could not be synced must not take another write: it does not know what is on disk. */
    private boolean mustEnd() {
        return victim == Role.WRITER && !supervisor.hasGivenUp(victim) && hasFailed(LOG);
    }

    private boolean hasFailed(String suffix) {
        return tracer != null && tracer.hasFailed(suffix);
    }

    @Override
    public boolean hasHit() {
        return hasFailed("");
    }
}
