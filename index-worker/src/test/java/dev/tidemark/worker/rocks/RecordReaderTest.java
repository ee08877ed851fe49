package dev.tidemark.worker.rocks;

import java.time.Instant;
import java.util.Arrays;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.ShardDamagedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordReaderTest {
    @Test
    void readsEveryNumberThatWasWritten() {
        LongStream.of(0, 1, 127, 128, 16_383, 16_384, Long.MAX_VALUE, Long.MIN_VALUE, -1)
                .forEach(number -> assertThat(new RecordReader(
                                        new RecordWriter().number(number).toBytes())
                                .number())
                        .isEqualTo(number));
    }

    @Test
    void readsTheLeastTime() {
        assertThat(new RecordReader(new RecordWriter().time(Instant.MIN).toBytes()).time())
                .isEqualTo(Instant.MIN);
    }

    @Test
    void takesEveryTruncationForDamage() {
        byte[] whole = new RecordWriter().text("hello").number(300).toBytes();
        for (int length = 0; length < whole.length; length++) {
            RecordReader reader = new RecordReader(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> {
                        reader.text();
                        reader.number();
                    })
                    .isInstanceOf(ShardDamagedException.class);
        }
    }

    @Test
    void takesALengthBeyondTheValueForDamage() {
        byte[] bytes = new RecordWriter().number(Long.MAX_VALUE).toBytes();
        assertThatThrownBy(() -> new RecordReader(bytes).bytes()).isInstanceOf(ShardDamagedException.class);
    }

    @Test
    void takesAnUnknownStandingForDamage() {
        byte[] bytes =
                new RecordWriter().number(1).number(1).number(77).number(0).toBytes();
        assertThatThrownBy(() -> RowStateCodec.read(bytes))
                .isInstanceOf(ShardDamagedException.class)
                .hasMessageContaining("77");
    }
}
