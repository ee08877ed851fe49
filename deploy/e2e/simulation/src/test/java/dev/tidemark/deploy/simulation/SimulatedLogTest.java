package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class SimulatedLogTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final SimulatedLog log = new SimulatedLog(SampleTable.NAME, new ManualClock(NOW), new RandomSource(1));

    @Test
    void aBrokerRefusesWhatAProducerSentBeforeItsNewEpochAndNothingElse() {
        log.create(SampleTable.definition());
        sendLate(0, 7);
        sendLate(0, 6);
        sendLate(1, 7);

        log.fence(0, 7);
        log.deliverLate(true);

        assertThat(log.partitions().get(0).endOffset()).isEqualTo(1);
        assertThat(log.partitions().get(1).endOffset()).isEqualTo(1);
    }

    @Test
    void strangersWaitForALookThatWasAskedForOnceTheWriterKnewOfAll() {
        log.create(SampleTable.definition());
        log.partitions().forEach(partition -> {
            for (int record = 0; record < 10; record++) {
                partition.append(record(record, 7), NOW);
            }
        });
        log.asked();
        log.addUntold(1);
        log.addUntold(-1);
        log.loseTail();
        long left = ends();

        log.find();
        log.poison();
        assertThat(ends()).isEqualTo(left);

        log.asked();
        log.find();
        log.poison();
        assertThat(ends()).isEqualTo(left + 1);
    }

    @Test
    void strangersWaitForTheFirstRecordOfTheWriter() {
        log.create(SampleTable.definition());
        log.poison();
        assertThat(ends()).isZero();
    }

    private long ends() {
        return log.partitions().stream()
                .mapToLong(SimulatedPartition::endOffset)
                .sum();
    }

    private void sendLate(int partition, long session) {
        log.comeLate(new SimulatedLog.Late(log.topicId(), partition, record(1, session), NOW));
    }

    private static WireRecord record(int id, long session) {
        KeyBytes key = KeyBytes.wrap(new byte[] {(byte) id});
        return new WireRecord(key, key, Map.of(ExpectedPosition.HEADER, new ExpectedPosition(0, 0, session).text()));
    }
}
