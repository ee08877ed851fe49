package dev.tidemark.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a clock from one run of a process to the next without asking the system clock, which may have been set
 * meanwhile. The file holds the difference to the monotonic timer, which on Linux counts from the start of the machine,
 * and the identity of that start. After another start of the machine, or where there is no such identity, nothing is
 * carried.
 *
 * <p>For one thread at a time.
 */
public final class ClockAnchor {
    private static final Logger LOGGER = LoggerFactory.getLogger(ClockAnchor.class);
    private static final Duration LEAST_MOVE = Duration.ofMillis(50);
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path file;
    private final Path boot;
    private final LongSupplier nanos;
    private @Nullable Duration kept;

    /** An anchor in that file. */
    public ClockAnchor(Path file) {
        this(file, BOOT, System::nanoTime);
    }

    ClockAnchor(Path file, Path boot, LongSupplier nanos) {
        this.file = file;
        this.boot = boot;
        this.nanos = nanos;
    }

    /** Returns what the clock that was stored last would show now; empty when that is unknown, as after a reboot. */
    public Optional<Instant> continued() {
        try {
            if (!Files.exists(file) || !Files.exists(boot)) {
                return Optional.empty();
            }
            List<String> words = List.of(Files.readString(file).strip().split(" ", 2));
            return words.size() == 2 && words.get(0).equals(machineStart())
                    ? Optional.of(
                            Instant.EPOCH.plus(Duration.parse(words.get(1))).plusNanos(nanos.getAsLong()))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            LOGGER.warn("The clock of the run before cannot be read from {}", file, e);
            return Optional.empty();
        }
    }

    /**
     * Keeps a clock that runs with the monotonic timer. When that fails, the next run has to trust the system clock.
     */
    public void keep(Clock clock) {
        try {
            if (!Files.exists(boot)) {
                return;
            }
            Duration ahead = ahead(clock);
            Path written = file.resolveSibling(file.getFileName() + ".new");
            PrivateFiles.create(written);
            Files.writeString(written, machineStart() + " " + ahead + System.lineSeparator());
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            kept = ahead;
        } catch (IOException e) {
            LOGGER.warn("The clock of this run cannot be kept in {}", file, e);
        }
    }

    /**
     * Keeps the clock once more where it has moved on by itself, as {@link SteadyClock} does after the machine was
     * suspended.
     *
     * @return whether it had
     */
    public boolean keepIfMoved(Clock clock) {
        Duration before = kept;
        boolean moved = before != null && ahead(clock).minus(before).compareTo(LEAST_MOVE) > 0;
        if (moved) {
            keep(clock);
        }
        return moved;
    }

    private Duration ahead(Clock clock) {
        return Duration.between(Instant.EPOCH, clock.instant()).minusNanos(nanos.getAsLong());
    }

    private String machineStart() throws IOException {
        return Files.readString(boot).strip();
    }
}
