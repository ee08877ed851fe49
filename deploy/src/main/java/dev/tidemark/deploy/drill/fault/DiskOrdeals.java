package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.deploy.drill.machine.Tracer;
import dev.tidemark.deploy.stack.Role;

/** What happens to the disk of a service. */
final class DiskOrdeals {
    private static final String SYNCS = "fsync,fdatasync";

    private DiskOrdeals() {}

    /** It has no room. The service goes on running, and has to work again once there is room. */
    static final class Full implements Ordeal {
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
    record Cut(Map<Role, Disk> disks, Crew crew) implements Ordeal {
        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            Disk disk = Objects.requireNonNull(disks.get(role));
            // Whoever has no power answers nobody any more: a sync that the cut ends early may look as if it had
            // worked.
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
     * What is synced fails. A store does not trust its disk after that, so the service refuses to write until it is started again,
     * which somebody does at the end.
     */
    static final class Failing implements Ordeal {
        private final Crew crew;
        private @Nullable Tracer tracer;
        private Role victim = Role.WRITER;

        Failing(Crew crew) {
            this.crew = crew;
        }

        @Override
        public boolean begin(Role role, Instant now) {
            Optional<Long> pid = crew.pid(role);
            if (pid.isEmpty()) {
                return false;
            }
            try {
                tracer = Tracer.failing(pid.get(), SYNCS);
                victim = role;
                return true;
            } catch (MachineException e) {
                return false;
            }
        }

        @Override
        public boolean end() throws InterruptedException {
            Objects.requireNonNull(tracer).close();
            crew.kill(victim, Instant.MIN);
            return true;
        }
    }
}
