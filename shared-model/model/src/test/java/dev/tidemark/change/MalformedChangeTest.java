package dev.tidemark.change;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MalformedChangeTest {
    private static final ChangeCodec CODEC = new ChangeCodec("t");
    private static final KeyBytes KEY = utf8("0a");
    private static final WireRecord DELETED =
            CODEC.encode(new ChangeEvent.Deleted(KEY, new RowVersion(1, 1), Instant.EPOCH));

    @ParameterizedTest
    @ValueSource(strings = {"ce_id", "ce_type", "ce_time"})
    void refusesARecordWithoutAHeader(String header) {
        Map<String, String> headers = new HashMap<>(DELETED.headers());
        headers.remove(header);

        assertRefused(
                new WireRecord(KEY, DELETED.value(), headers), "expected the header " + header + ", but it is absent");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ce_id   | 1                           | expected a version of 19 digits in ce_id, but got 1
            ce_id   | 0000000000000000000         | expected a version that a writer assigns, but got 0000000000000000000
            ce_type | dev.tidemark.row.moved      | expected ce_type of a known kind, but got dev.tidemark.row.moved, which a newer
            ce_type | dev.tidemark.heartbeat      | expected a heartbeat to have the key of heartbeats
            ce_time | yesterday                   | expected an RFC 3339 time in ce_time, but got yesterday
            ce_time | -1000000000-01-01T00:00:00Z | expected an RFC 3339 time in ce_time, but got -1000000000-01-01
            ce_time | +10000-01-01T00:00:00Z      | expected an RFC 3339 time in ce_time, but got +10000-01-01
            """)
    void refusesAHeaderThatNoWriterWrites(String header, String value, String reason) {
        Map<String, String> headers = new HashMap<>(DELETED.headers());
        headers.put(header, value);

        assertRefused(new WireRecord(KEY, DELETED.value(), headers), reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            upserted  | none                     | expected a value, but got none
            upserted  | {                        | expected JSON, but
            upserted  | []                       | expected a JSON object, but got an array
            upserted  | {"op":"c"}               | expected an object in after, but got nothing
            upserted  | {"op":"c","after":null}  | expected an object in after, but got null
            upserted  | {"op":"c","after":[1]}   | expected an object in after, but got an array
            upserted  | {"after":{}}             | expected op c, u or r, but got nothing
            upserted  | {"op":"d","after":{}}    | expected op c, u or r, but got the string "d"
            upserted  | {"op":1,"after":{}}      | expected op c, u or r, but got the number 1
            deleted   | none                     | expected a value, but got none
            deleted   | {"op":"u","after":null}  | expected op d, but got the string "u"
            deleted   | {"op":"d"}               | expected null in after, but got nothing
            deleted   | {"op":"d","after":{}}    | expected null in after, but got an object
            forgotten | {"op":"d","after":null}  | expected no value for a forgotten row, but got one
            """)
    void refusesAValueThatDoesNotFitItsKind(String kind, @Nullable String value, String reason) {
        Map<String, String> headers = new HashMap<>(DELETED.headers());
        headers.put("ce_type", "dev.tidemark.row." + kind);

        assertRefused(new WireRecord(KEY, value == null ? null : utf8(value), headers), reason);
    }

    @Test
    void refusesARowUnderTheKeyOfHeartbeats() {
        assertRefused(
                new WireRecord(ChangeCodec.HEARTBEAT_KEY, DELETED.value(), DELETED.headers()),
                "expected a heartbeat to have the key of heartbeats, but got dev.tidemark.row.deleted");
    }

    private static void assertRefused(WireRecord record, String reason) {
        assertThatThrownBy(() -> CODEC.decode(record))
                .isInstanceOf(MalformedChangeException.class)
                .hasMessageStartingWith(reason);
    }

    private static KeyBytes utf8(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
