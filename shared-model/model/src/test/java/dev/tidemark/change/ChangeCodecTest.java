package dev.tidemark.change;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChangeCodecTest {
    private static final ChangeCodec CODEC = new ChangeCodec("movies");
    private static final Instant TIME = Instant.parse("2024-05-06T07:08:09.123456Z");
    private static final RowVersion VERSION = new RowVersion(1, 42);
    private static final KeyBytes KEY =
            new KeyWriter().append(new FieldValue.Text("m1"), Order.ASC).toKey();

    static Stream<ChangeMessage> messages() throws Exception {
        RowDocument row = RowDocument.parse("{\"id\":\"é\\\"\",\"n\":1.50}".getBytes(StandardCharsets.UTF_8));
        String deep = "{\"a\":".repeat(RowJson.MAX_DEPTH - 1) + "{}" + "}".repeat(RowJson.MAX_DEPTH - 1);
        return Stream.of(
                new ChangeEvent.Upserted(KEY, VERSION, TIME, UpsertKind.CREATE, row),
                new ChangeEvent.Upserted(KEY, VERSION, TIME, UpsertKind.UPDATE, row),
                new ChangeEvent.Upserted(KEY, VERSION, TIME, UpsertKind.READ, row),
                new ChangeEvent.Upserted(
                        KEY,
                        VERSION,
                        TIME,
                        UpsertKind.CREATE,
                        RowDocument.parse(deep.getBytes(StandardCharsets.UTF_8))),
                new ChangeEvent.Deleted(KEY, VERSION, TIME),
                new ChangeEvent.Forgotten(KEY, VERSION, TIME),
                new Heartbeat(TIME, VERSION),
                new Heartbeat(TIME, VERSION).with(new SourceMark(Optional.empty())),
                new Heartbeat(TIME, VERSION, new TreeMap<>(Map.of(3L, Digest.EMPTY)))
                        .with(new SourceMark(Optional.of(TIME.minusSeconds(2)))),
                new Heartbeat(TIME, VERSION, new TreeMap<>(Map.of(3L, new Digest(-1, 2), 12L, Digest.EMPTY))),
                new Heartbeat(Instant.EPOCH, RowVersion.NONE));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsWhatItWrote(ChangeMessage message) throws Exception {
        WireRecord record = CODEC.encode(message);

        assertThat(CODEC.decode(record)).isEqualTo(message);
    }

    @Test
    void writesACloudEventInBinaryMode() throws Exception {
        RowDocument row = RowDocument.parse("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        WireRecord record = CODEC.encode(new ChangeEvent.Upserted(KEY, VERSION, TIME, UpsertKind.UPDATE, row));

        assertThat(record.key()).isEqualTo(KEY);
        assertThat(record.headers())
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_id", "0001000000000000042")
                .containsEntry("ce_type", "dev.tidemark.row.upserted")
                .containsEntry("ce_time", "2024-05-06T07:08:09.123456Z")
                .containsEntry("ce_source", "/tidemark/movies")
                .containsEntry("content-type", "application/json");
        assertThat(text(record))
                .isEqualTo("{\"op\":\"u\",\"after\":{\"a\":1},\"source\":{\"name\":\"tidemark\",\"table\":\"movies\","
                        + "\"version\":\"0001000000000000042\"},\"ts_ms\":1714979289123}");
    }

    @Test
    void saysOfADeleteThatNothingIsLeft() throws Exception {
        WireRecord record = CODEC.encode(new ChangeEvent.Deleted(KEY, VERSION, TIME));
        ObjectNode value =
                RowJson.parseObject(Objects.requireNonNull(record.value()).array());

        assertThat(value.path("op").textValue()).isEqualTo("d");
        assertThat(value.path("after").isNull()).isTrue();
        assertThat(record.headers()).containsEntry("ce_type", "dev.tidemark.row.deleted");
    }

    @Test
    void leavesNoValueForAForgottenRow() {
        assertThat(CODEC.encode(new ChangeEvent.Forgotten(KEY, VERSION, TIME)).value())
                .isNull();
    }

    @Test
    void givesHeartbeatsAKeyThatNoRowHas() {
        assertThat(CODEC.encode(new Heartbeat(TIME, VERSION)).key()).isEqualTo(ChangeCodec.HEARTBEAT_KEY);
        assertThat(KEY.array()[0]).isNotZero();
    }

    @Test
    void readsAHeartbeatThatSaysNothingOfDigests() throws Exception {
        WireRecord written = CODEC.encode(new Heartbeat(TIME, VERSION));
        WireRecord bare = new WireRecord(written.key(), null, written.headers());

        assertThat(text(written)).isEqualTo("{\"op\":\"h\"}");
        assertThat(CODEC.decode(bare)).isEqualTo(new Heartbeat(TIME, VERSION));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"digests\":{\"3\":\"12\"}}",
                "{\"digests\":{\"x\":\"0123456789abcdef0123456789abcdef\"}}",
                "no"
            })
    void refusesDigestsThatNoWriterWrites(String value) {
        WireRecord written = CODEC.encode(new Heartbeat(TIME, VERSION));
        KeyBytes bytes = KeyBytes.wrap(value.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> CODEC.decode(new WireRecord(written.key(), bytes, written.headers())))
                .isInstanceOf(MalformedChangeException.class);
    }

    @Test
    void namesTheTopicOfATable() {
        assertThat(ChangeTopic.nameFor("movies")).isEqualTo("tidemark.changes.movies");
    }

    private static String text(WireRecord record) {
        return new String(Objects.requireNonNull(record.value()).array(), StandardCharsets.UTF_8);
    }
}
