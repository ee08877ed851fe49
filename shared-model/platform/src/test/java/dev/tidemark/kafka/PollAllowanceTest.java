package dev.tidemark.kafka;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PollAllowanceTest {
    private final PollAllowance allowance = new PollAllowance();
    private final Deserializer<byte[]> keys = allowance.keys();
    private final Deserializer<byte[]> values = allowance.values();

    @Test
    void refusesTheRecordAfterTheLastThatMayBeTaken() {
        allowance.begin(100);
        assertThat(keys.deserialize("t", new byte[40])).hasSize(40);
        assertThat(values.deserialize("t", new byte[50])).hasSize(50);
        assertThat(keys.deserialize("t", new byte[40])).hasSize(40);
        assertThat(values.deserialize("t", new byte[50]))
                .as("of a record that was begun")
                .hasSize(50);
        assertThatThrownBy(() -> keys.deserialize("t", new byte[1])).isInstanceOf(SerializationException.class);
        assertThatThrownBy(() -> values.deserialize("t", new byte[1])).isInstanceOf(SerializationException.class);
    }

    @Test
    void givesTheFirstRecordOfEachPollHoweverLargeItIs() {
        for (int poll = 0; poll < 3; poll++) {
            allowance.begin(1);
            assertThat(keys.deserialize("t", new byte[40])).hasSize(40);
            assertThat(values.deserialize("t", new byte[1 << 20])).hasSize(1 << 20);
            assertThatThrownBy(() -> keys.deserialize("t", new byte[1])).isInstanceOf(SerializationException.class);
        }
    }
}
