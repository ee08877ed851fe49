package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.Agent;

/** Writes a new value into each of its rows, one row after another, again and again. */
final class CanaryWriter implements Agent {
    private final String name;
    private final CanaryRows rows;
    private final List<Integer> partitions;
    private final ProbeTarget target;
    private final ProbeLog log;
    private final Clock clock;
    private final Beat beat;
    private final BooleanSupplier paused;
    private long value;

    CanaryWriter(
            String name,
            CanaryRows rows,
            List<Integer> partitions,
            ProbeTarget target,
            ProbeLog log,
            Clock clock,
            Duration interval,
            BooleanSupplier paused) {
        this.name = name;
        this.rows = rows;
        this.partitions = List.copyOf(partitions);
        this.target = target;
        this.log = log;
        this.clock = clock;
        this.beat = new Beat(clock, interval);
        this.paused = paused;
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork() throws InterruptedException {
        beat.await();
        value++;
        int written = 0;
        for (int partition : partitions) {
            if (!paused.getAsBoolean()) {
                write(partition);
                written++;
            }
        }
        return written;
    }

    private void write(int partition) throws InterruptedException {
        Instant invoked = clock.instant();
        try {
            RowVersion version = target.put(rows.table().name(), rows.key(partition), rows.row(partition, value));
            log.acknowledged(new Canary(partition, version, invoked, clock.instant()));
        } catch (NoAnswerException e) {
            log.notAcknowledged(invoked, e);
        }
    }
}
