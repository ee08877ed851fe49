package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class TombstoneWalkTest {
    private static final int MOST = 50;
    private static final int UNWANTED = 3 * TombstoneWalk.MOST_LOOKED_AT;
    private static final Instant UNTIL = timeOf(2 * UNWANTED);

    private final Listed tombstones = new Listed();
    private final TombstoneWalk walk = new TombstoneWalk(tombstones);

    @Test
    void oneStepDoesNotWalkOverAllThatAreNotWanted() {
        unwanted();
        tombstones.all.add(tombstone("movies", UNWANTED + 1));

        int steps = 1;
        List<Tombstone> found = step();
        for (; found.isEmpty() && !walk.isOver(); steps++) {
            assertThat(tombstones.read).isLessThanOrEqualTo(steps * TombstoneWalk.MOST_LOOKED_AT);
            found = step();
        }

        assertThat(found).containsExactly(tombstone("movies", UNWANTED + 1));
        assertThat(walk.isOver()).isTrue();
    }

    @Test
    void whatComesBehindManyThatAreNotWantedIsFoundInOneWalk() {
        unwanted();
        Set<Long> wanted = new TreeSet<>();
        for (int i = 1; i <= 3 * MOST; i++) {
            tombstones.all.add(tombstone("movies", UNWANTED + i));
            wanted.add((long) UNWANTED + i);
        }

        Set<Long> found = new TreeSet<>();
        while (!walk.isOver()) {
            List<Tombstone> some = step();
            assertThat(some).hasSizeLessThanOrEqualTo(MOST);
            some.forEach(tombstone -> found.add(tombstone.version().sequence()));
            tombstones.all.removeAll(some);
        }

        assertThat(found).isEqualTo(wanted);
        assertThat(tombstones.read).isLessThanOrEqualTo(UNWANTED + wanted.size());
    }

    @Test
    void aWalkThatRestartsFindsWhatTheOneBeforeLeft() {
        tombstones.all.add(tombstone("movies", 1));
        assertThat(step()).hasSize(1);
        assertThat(step()).isEmpty();

        walk.restart();

        assertThat(walk.isOver()).isFalse();
        assertThat(step()).containsExactly(tombstone("movies", 1));
    }

    private List<Tombstone> step() {
        return walk.step(UNTIL, tombstone -> tombstone.table().equals("movies"), MOST);
    }

    private void unwanted() {
        for (int sequence = 1; sequence <= UNWANTED; sequence++) {
            tombstones.all.add(tombstone("customers", sequence));
        }
    }

    private static Tombstone tombstone(String table, long sequence) {
        return new Tombstone(table, 0, customerKey(1), version(sequence), timeOf(sequence));
    }

    /** A list of tombstones, which counts those that were read. */
    private static final class Listed implements Tombstones {
        private final List<Tombstone> all = new ArrayList<>();
        private int read;

        @Override
        public List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit) {
            long last = after.map(tombstone -> tombstone.version().sequence()).orElse(0L);
            List<Tombstone> page = all.stream()
                    .filter(tombstone -> tombstone.version().sequence() > last)
                    .filter(tombstone -> !tombstone.deletedAt().isAfter(until))
                    .limit(limit)
                    .toList();
            read += page.size();
            return page;
        }

        @Override
        public boolean isSuperseded(Tombstone tombstone) {
            return false;
        }

        @Override
        public void remove(List<Tombstone> done) {
            all.removeAll(done);
        }
    }
}
