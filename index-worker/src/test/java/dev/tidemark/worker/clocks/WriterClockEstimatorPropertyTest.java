package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes whose clocks are wrong by anything and drift, one of which is started again and again with another
 * clock: no age is ever told too small, and a while after an answer it is not too large either.
 */
class WriterClockEstimatorPropertyTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 400;
    /** What times in microseconds may be off by. */
    private static final Duration MICROS = Duration.ofNanos(2_000);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void noAgeIsToldTooSmall() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new World(seed).run();
        }
    }

    /** Time in it is counted in true microseconds. */
    private static final class World {
        private final long seed;
        private final Random random;
        private final long workerAhead;
        private final double workerSpeed;
        private final WriterClockEstimator estimate;
        private long now;
        private double writerSpeed;
        private long writerBase;
        private long writerSince;
        private int process;

        /** The newest time of the writer that has come, and when it was stamped in truth. */
        private long stamp = Long.MIN_VALUE;

        private long stamped;

        World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.workerAhead = anything();
            this.workerSpeed = speed();
            this.estimate = new WriterClockEstimator(local());
            this.writerBase = anything();
            this.writerSpeed = speed();
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                now += random.nextInt(2_000_000);
                switch (random.nextInt(12)) {
                    case 0, 1, 2 -> answer();
                    case 3 -> restart();
                    default -> heartbeat();
                }
                check();
            }
        }

        private void answer() {
            Instant sent = local();
            now += random.nextInt(random.nextBoolean() ? 2_000 : 500_000);
            Instant read = instant(writer());
            now += random.nextInt(random.nextBoolean() ? 2_000 : 500_000);
            Optional<CommitBound> given = Optional.of(new CommitBound(sent, RowVersion.NONE));
            estimate.answered(new ClockReading(sent, local(), read, Integer.toString(process), given));
            Duration off = Duration.between(instant(writer()), estimate.at(local()));
            assertThat(off).as("seed %d, after an answer", seed).isBetween(MICROS.negated(), Duration.ofSeconds(1));
        }

        private void heartbeat() {
            long time = writer();
            long at = now;
            now += random.nextInt(3_000_000);
            if (time > stamp) {
                stamp = time;
                stamped = at;
            }
            estimate.seen(instant(stamp), local());
        }

        /**
         * With a clock that goes on, or is ahead by more than anything is under way. Has been asked since the start
         * before: a leap that is shorter than its way here goes unseen until it is asked.
         */
        private void restart() {
            answer();
            now += random.nextInt(5_000_000);
            long goesOn = writer();
            writerBase = random.nextBoolean() ? goesOn : goesOn + MINUTE.toNanos() / 1_000 + Math.abs(anything());
            writerSince = now;
            writerSpeed = speed();
            process++;
        }

        private void check() {
            if (stamp == Long.MIN_VALUE
                    || !estimate.isKnown()
                    || estimate.skew().isEmpty()
                    || process == 0) {
                return;
            }
            Duration told = Duration.between(instant(stamp), estimate.at(local()));
            Duration age = Duration.ofNanos((now - stamped) * 1_000);
            // Time itself runs differently in the two processes.
            Duration slack = age.dividedBy(1_000);
            assertThat(told)
                    .as("seed %d at %d us", seed, now)
                    .isGreaterThanOrEqualTo(age.minus(slack).minus(MICROS));
        }

        private long writer() {
            return writerBase + (long) ((now - writerSince) * writerSpeed);
        }

        private Instant local() {
            return instant(workerAhead + (long) (now * workerSpeed));
        }

        private long anything() {
            return (random.nextLong() % Duration.ofHours(2).toNanos()) / 1_000;
        }

        private double speed() {
            return 1 + (random.nextInt(401) - 200) / 1e6;
        }

        private static Instant instant(long micros) {
            return Instant.parse("2026-01-01T00:00:00Z").plusNanos(micros * 1_000);
        }
    }
}
