package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordsTest {
    private final Records records = new Records();

    @Test
    void saysWhatEachRecordSaysThoughTheOneBeforeSaidOtherwise() {
        assertThat(records.texts(headers("id", "1", "type", "a"))).isEqualTo(Map.of("id", "1", "type", "a"));
        assertThat(records.texts(headers("id", "2", "type", "a"))).isEqualTo(Map.of("id", "2", "type", "a"));
        assertThat(records.texts(headers("type", "é"))).isEqualTo(Map.of("type", "é"));
        assertThat(records.texts(headers("id", "1"))).isEqualTo(Map.of("id", "1"));
    }

    @Test
    void sharesATextWithTheRecordBefore() {
        String first = records.texts(headers("type", "row.upserted")).get("type");

        assertThat(records.texts(headers("type", "row.upserted")).get("type")).isSameAs(first);
    }

    @Test
    void takesTheLastOfARepeatedHeaderAndNothingForAnEmptyOne() {
        Headers repeated = headers("id", "1", "id", "2");
        repeated.add("none", null);

        assertThat(records.texts(repeated)).isEqualTo(Map.of("id", "2", "none", ""));
    }

    @Test
    void readsNamesWithoutEndAsWell() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(records.texts(headers("name-" + i, "value-" + i))).isEqualTo(Map.of("name-" + i, "value-" + i));
        }
    }

    private static Headers headers(String... namesAndValues) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return headers;
    }
}
