package dev.tidemark.checksum;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/**
 * Looks through all files, one at a time and then resting, so that the mean speed keeps to its bound; then waits for
 * the next pass. Files made during a pass wait for the next one.
 */
public final class ChecksumScanAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChecksumScanAgent.class);
    private static final double NANOS = 1e9;

    /** A worker has no shards at its start; to look through nothing is no pass. */
    private static final Duration NOTHING_THERE = Duration.ofSeconds(10);

    private final Supplier<? extends Collection<? extends ChecksumScanTarget>> targets;
    private final ChecksumScanSettings settings;
    private final ChecksumScanTotals totals;
    private final Clock clock;
    private final Deque<Piece> left = new ArrayDeque<>();
    private boolean passing;
    private Instant nextPass = Instant.MIN;
    private Instant notBefore = Instant.MIN;

    private record Piece(ChecksumScanTarget target, Path file, long bytes) {}

    /**
     * An agent that begins its first pass at once.
     *
     * @param targets gives what there is at the moment
     */
    public ChecksumScanAgent(
            Supplier<? extends Collection<? extends ChecksumScanTarget>> targets,
            ChecksumScanSettings settings,
            ChecksumScanTotals totals,
            Clock clock) {
        this.targets = targets;
        this.settings = settings;
        this.totals = totals;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "checksum";
    }

    /** One file at most; always 0, so that the thread rests. */
    @Override
    public int doWork() {
        Instant now = clock.instant();
        if (settings.bytesPerSecond() == 0 || now.isBefore(notBefore)) {
            return 0;
        }
        Piece next = left.poll();
        if (next != null) {
            look(next);
            notBefore = now.plus(rest(next.bytes()));
        } else if (passing) {
            passing = false;
            totals.passed(now);
        } else if (!now.isBefore(nextPass)) {
            begin();
            passing = !left.isEmpty();
            nextPass = now.plus(passing ? settings.interval() : NOTHING_THERE);
        }
        return 0;
    }

    private void begin() {
        for (ChecksumScanTarget target : targets.get()) {
            try {
                target.files().forEach((file, bytes) -> left.add(new Piece(target, file, bytes)));
            } catch (RuntimeException e) {
                LOGGER.info("A database is passed over this time: {}", e.getMessage());
            }
        }
    }

    private void look(Piece piece) {
        try {
            Optional<String> damage = piece.target().look(piece.file());
            totals.looked(piece.bytes());
            if (damage.isPresent()) {
                totals.damaged();
                LOGGER.error("File {} is damaged: {}", piece.file(), damage.get());
                piece.target().damaged(damage.get());
            }
        } catch (RuntimeException e) {
            LOGGER.warn("File {} is passed over this time: {}", piece.file(), e.getMessage());
        }
    }

    private Duration rest(long bytes) {
        return Duration.ofNanos((long) (bytes * NANOS / settings.bytesPerSecond()));
    }
}
