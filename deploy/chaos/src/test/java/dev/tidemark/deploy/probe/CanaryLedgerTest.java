package dev.tidemark.deploy.probe;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static dev.tidemark.deploy.probe.JudgeScript.version;
import static org.assertj.core.api.Assertions.assertThat;

class CanaryLedgerTest {
    private final CanaryLedger ledger = new CanaryLedger(1);

    @Test
    void forgetsTheOldestVisibleWritesWhenThereAreVeryMany() {
        write(1);
        ledger.saw(List.of(version(1)), at(2));
        for (int i = 2; i <= CanaryLedger.MAX_PER_PARTITION + 1; i++) {
            write(i);
        }

        assertThat(oldestMissing(RowVersion.NONE))
                .map(CanaryLedger.Canary::version)
                .contains(version(2));
    }

    @Test
    void keepsTheOldestMissingWriteHoweverManyFollow() {
        for (int i = 1; i <= CanaryLedger.MAX_PER_PARTITION + 10; i++) {
            write(i);
        }

        assertThat(oldestMissing(RowVersion.NONE))
                .map(CanaryLedger.Canary::version)
                .contains(version(1));
        assertThat(oldestMissing(version(CanaryLedger.MAX_PER_PARTITION))).isEmpty();
    }

    @Test
    void holdsABoundedNumberOfWritesHoweverManyPartitionsThereAre() {
        int partitions = CanaryRows.MAX_PARTITIONS;
        CanaryLedger wide = new CanaryLedger(partitions);
        int writes = CanaryLedger.MAX / partitions + 1;
        for (int i = 1; i <= writes; i++) {
            for (int partition = 0; partition < partitions; partition++) {
                wide.acknowledged(new CanaryLedger.Canary(partition, version(i), at(i), at(i)));
            }
        }

        assertThat(wide.saw(Collections.nCopies(partitions, version(writes)), at(writes)))
                .hasSize(CanaryLedger.MAX);
    }

    @Test
    void countsEverythingUpToTheVisibleVersionAsVisible() {
        write(1);
        write(2);
        write(3);

        assertThat(ledger.saw(List.of(version(2)), at(10))).hasSize(2);
        assertThat(ledger.seen()).containsExactly(version(2));
        assertThat(oldestMissing(ledger.seen().get(0)))
                .map(CanaryLedger.Canary::version)
                .contains(version(3));
    }

    @Test
    void tellsOnlyOnceThatAWriteBecameVisible() {
        write(1);

        assertThat(ledger.saw(List.of(version(1)), at(10))).hasSize(1);
        assertThat(ledger.saw(List.of(RowVersion.NONE), at(20))).isEmpty();
        assertThat(ledger.saw(List.of(version(1)), at(30))).isEmpty();
    }

    @Test
    void nobodyOwesWhatIsKnownToBeLostHoweverLateItIsNoted() {
        write(1);
        write(2);
        ledger.lost(at(1), at(3));
        write(3);
        assertThat(oldestMissing(version(1))).isEmpty();

        write(4);
        assertThat(oldestMissing(version(1))).map(CanaryLedger.Canary::version).contains(version(4));
        assertThat(oldestMissing(RowVersion.NONE))
                .map(CanaryLedger.Canary::version)
                .contains(version(1));
    }

    private void write(int sequence) {
        ledger.acknowledged(new CanaryLedger.Canary(0, version(sequence), at(sequence), at(sequence)));
    }

    private Optional<CanaryLedger.Canary> oldestMissing(RowVersion visible) {
        return ledger.oldestMissing(Set.of(0), List.of(visible), at(1_000_000));
    }
}
