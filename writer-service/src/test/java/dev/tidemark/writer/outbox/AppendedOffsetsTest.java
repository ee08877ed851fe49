package dev.tidemark.writer.outbox;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.AppendedOffsets.OffsetRange;
import dev.tidemark.writer.outbox.EventPublisher.Shard;

import static org.assertj.core.api.Assertions.assertThat;

class AppendedOffsetsTest {
    private final AppendedOffsets appended = new AppendedOffsets();

    @Test
    void joinsOffsetsThatFollowEachOtherInOnePartition() {
        add(0, 7);
        add(1, 3);
        add(0, 8);

        appended.forEach((shard, part) -> assertThat(part.ranges())
                .containsExactly(shard.partition() == 0 ? new OffsetRange(7, 9) : new OffsetRange(3, 4)));
        assertThat(appended.end(new Shard("customers", 0))).isEqualTo(9);
    }

    @Test
    void keepsApartWhatDoesNotFollow() {
        add(0, 7);
        add(0, 5);
        add(0, 6);
        add(0, 20);

        appended.forEach((shard, part) -> {
            assertThat(part.ranges())
                    .containsExactly(new OffsetRange(7, 8), new OffsetRange(5, 7), new OffsetRange(20, 21));
            assertThat(part.messages()).isEqualTo(4);
        });
    }

    private void add(int partition, long offset) {
        appended.add(new Publication("customers", partition, new Heartbeat(Instant.EPOCH, RowVersion.NONE)), offset);
    }
}
