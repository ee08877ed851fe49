package dev.tidemark.change;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UpsertReaderTest {
    private static final UpsertReader READER = new UpsertReader(new RowFields(List.of("n", "absent")));

    @ParameterizedTest
    @MethodSource("dev.tidemark.change.ChangeCodecTest#messages")
    void findsTheRowsThatTheCodecWrites(ChangeMessage message) throws Exception {
        WireRecord record = new ChangeCodec("movies").encode(message);

        if (message instanceof ChangeEvent.Upserted event) {
            PartialRow row = READER.read(record).orElseThrow();
            assertThat(row.whole().bytes()).isEqualTo(event.row().bytes());
            assertThat(row.fields()).isEqualTo(event.row().tree().deepCopy().retain("n", "absent"));
        } else {
            assertThat(READER.read(record)).isEmpty();
        }
    }

    @Test
    void findsTheRowWhereverItStands() throws Exception {
        WireRecord record = upsert(" { \"x\": {\"after\": 1}, \"after\" : { \"m\": [\"}\"], \"n\": 2 } , nonsense");

        PartialRow row = READER.read(record).orElseThrow();

        assertThat(new String(row.whole().bytes(), UTF_8)).isEqualTo("{ \"m\": [\"}\"], \"n\": 2 }");
        assertThat(row.fields()).isEqualTo(RowJson.parseObject("{\"n\":2}".getBytes(UTF_8)));
    }

    @Test
    void findsNothingWhereTheRowIsNoObject() throws Exception {
        assertThat(READER.read(upsert("{\"after\":[{\"n\":1}]}"))).isEmpty();
        assertThat(READER.read(upsert("[{\"after\":{}}]"))).isEmpty();
        assertThat(READER.read(upsert("{}"))).isEmpty();
    }

    @Test
    void refusesWhatIsNotJson() {
        assertThatThrownBy(() -> READER.read(upsert("{\"after\":{\"n\":")))
                .isInstanceOf(MalformedChangeException.class)
                .hasMessageContaining("expected JSON");
        assertThatThrownBy(() -> READER.read(new WireRecord(KeyBytes.EMPTY, null, Map.of())))
                .isInstanceOf(MalformedChangeException.class)
                .hasMessageContaining(ChangeCodec.TYPE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "11e2147483647", "[1e-99999999999]", "\"\\ud800\"", "{\"\\udc00\":1}"})
    void refusesAFieldThatTheCodecRefuses(String value) {
        assertRefused(value);
    }

    @Test
    void refusesANumberThatIsTooLongForTheCodec() {
        assertRefused("9".repeat(RowJson.MAX_NUMBER_LENGTH + 100));
        assertRefused("[1." + "9".repeat(RowJson.MAX_NUMBER_LENGTH + 100) + "]");
    }

    @Test
    void readsANumberThatIsALittleLongerThanOneOfAUserMayBe() throws Exception {
        String number = "1." + "9".repeat(RowJson.MAX_NUMBER_LENGTH + 10);
        WireRecord record = upsert("{\"op\":\"u\",\"after\":{\"n\":" + number + "}}");
        assertThat(new ChangeCodec("movies").decode(record)).isInstanceOf(ChangeEvent.Upserted.class);
        assertThat(READER.read(record).orElseThrow().fields().path("n").decimalValue())
                .isEqualTo(number);
    }

    private static void assertRefused(String value) {
        WireRecord record = upsert("{\"op\":\"u\",\"after\":{\"n\":" + value + "}}");
        assertThatThrownBy(() -> new ChangeCodec("movies").decode(record)).isInstanceOf(MalformedChangeException.class);
        assertThatThrownBy(() -> READER.read(record)).isInstanceOf(MalformedChangeException.class);
    }

    private static WireRecord upsert(String value) {
        return new WireRecord(
                KeyBytes.wrap(new byte[] {1}),
                KeyBytes.wrap(value.getBytes(UTF_8)),
                Map.of(
                        ChangeCodec.TYPE,
                        "dev.tidemark.row.upserted",
                        ChangeCodec.ID,
                        "0001000000000000099",
                        ChangeCodec.TIME,
                        "2026-01-01T00:00:00Z"));
    }
}
