package dev.tidemark.deploy.drill.fault;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.deploy.drill.machine.Tracer;
import dev.tidemark.deploy.stack.Role;

/** What happens to the disk of a service. */
final class DiskFaults {
    private DiskFaults() {}

    /** It has no room. The service goes on running, and has to work again once there is room. */
    static final class Full implements Fault {
        private final Map<Role, Disk> disks;
        private @Nullable Disk full;

        Full(Map<Role, Disk> disks) {
            this.disks = disks;
        }

        @Override
        public boolean begin(Role role, Instant now) {
            Disk disk = Objects.requireNonNull(disks.get(role));
            disk.fill();
            full = disk;
            return true;
        }

        @Override
        public boolean end() {
            Objects.requireNonNull(full).free();
            return true;
        }
    }

    /** What was not synced is gone. */
    record Cut(Map<Role, Disk> disks, ProcessSupervisor crew) implements Fault {
        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            Disk disk = Objects.requireNonNull(disks.get(role));
            // A machine without power answers no request: a sync that the cut ends early may look as if it had worked.
            if (!crew.stop(role, Instant.MAX)) {
                return false;
            }
            try {
                disk.cut();
                crew.kill(role, Instant.MIN);
                disk.comeBack();
                return true;
            } catch (MachineException e) {
                throw new IllegalStateException("Expected a disk that can be cut off, but " + e.getMessage(), e);
            }
        }
    }

    /**
     * The system calls in question fail. Only the service itself restores its operation afterwards: a worker opens its
     * shards again, and a writer exits, so that its supervisor, here the {@link ProcessSupervisor}, starts it.
     */
    static final class Failing implements Fault {
        private static final Duration LEAST = Duration.ofSeconds(3);
        private static final Duration LONGEST = Duration.ofSeconds(45);

        private final ProcessSupervisor crew;
        private final Asked asked;
        private @Nullable Tracer tracer;
        private Role victim = Role.WRITER;
        private Instant begun = Instant.MIN;
        private Instant failing = Instant.MAX;
        private Instant now = Instant.MIN;

        /** What a disk is asked for. */
        enum Asked {
            /** To sync what was written, in any file. */
            SYNC("fsync,fdatasync"),
            /** To read the table files; the virtual machine reads its own files in the same way. */
            READ("pread64");

            private final String calls;

            Asked(String calls) {
                this.calls = calls;
            }
        }

        Failing(ProcessSupervisor crew, Asked asked) {
            this.crew = crew;
            this.asked = asked;
        }

        @Override
        public boolean begin(Role role, Instant time) throws InterruptedException {
            // Who has just come back finds its rows in tables, and none of them in memory.
            if (asked == Asked.READ && !crew.kill(role, Instant.MIN)) {
                return false;
            }
            victim = role;
            begun = time;
            tracer = null;
            failing = Instant.MAX;
            tick(time);
            return asked == Asked.READ || tracer != null;
        }

        @Override
        public void tick(Instant time) {
            now = time;
            if (tracer != null || !crew.isServing(victim)) {
                return;
            }
            List<Path> files =
                    asked == Asked.READ ? tablesIn(crew.dataOf(victim).toFile()) : List.of();
            Optional<Long> pid = crew.pid(victim);
            try {
                if (pid.isPresent() && (asked == Asked.SYNC || !files.isEmpty())) {
                    tracer = Tracer.failing(pid.get(), asked.calls, files);
                    failing = time;
                    crew.mayGiveUp(victim);
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
        public boolean end() {
            boolean enough = tracer != null && !now.isBefore(failing.plus(LEAST));
            if (!enough && now.isBefore(begun.plus(LONGEST))) {
                return false;
            }
            if (tracer != null) {
                tracer.close();
            }
            return true;
        }

        @Override
        public boolean hasHit() {
            return tracer != null;
        }
    }
}
