package dev.tidemark.source.topic;

import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.source.feed.SourceEvent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EnvelopeTest {
    private static final String SOURCE = "\"source\":{\"db\":\"shop\",\"table\":\"items\"}";

    private static Optional<SourceEvent> read(String key, String value) throws Exception {
        return new Envelope("shop", "tidemark_shop", "tidemark.markers")
                .read(new Topics.Message(new Topics.Place("t", 0), 7, Optional.of(key), Optional.of(value)))
                .map(Envelope.Event::what);
    }

    private static String column(String name, String type, String semantic) {
        return "{\"field\":\"" + name + "\",\"type\":\"" + type + "\",\"name\":\"" + semantic + "\"}";
    }

    @Test
    void aSchemaSaysWhatValuesAre() throws Exception {
        String columns = String.join(
                ",",
                column("day", "int32", "io.debezium.time.Date"),
                column("at", "int64", "io.debezium.time.MicroTimestamp"),
                column("old", "int64", "io.debezium.time.Timestamp"),
                column("clock", "int64", "io.debezium.time.MicroTime"),
                column("midnight", "int64", "io.debezium.time.MicroTime"),
                column("span", "int64", "io.debezium.time.MicroTime"),
                column("zoned", "string", "io.debezium.time.ZonedTimestamp"),
                column("never", "string", "io.debezium.time.ZonedTimestamp"),
                column("noon", "string", "io.debezium.time.ZonedTime"),
                "{\"field\":\"bits\",\"type\":\"bytes\",\"name\":\"io.debezium.data.Bits\","
                        + "\"parameters\":{\"length\":\"10\"}}",
                column("doc", "string", "io.debezium.data.Json"),
                column("twice", "string", "io.debezium.data.Json"),
                column("broken", "string", "io.debezium.data.Json"),
                column("any", "struct", "io.debezium.data.VariableScaleDecimal"),
                column("huge", "struct", "io.debezium.data.VariableScaleDecimal"),
                "{\"field\":\"price\",\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\","
                        + "\"parameters\":{\"scale\":\"2\"}}",
                "{\"field\":\"days\",\"type\":\"array\",\"items\":{\"type\":\"int32\",\"name\":\"io.debezium.time.Date\"}}");
        String row = "{\"id\":1,\"day\":19782,\"at\":1709210096123456,\"old\":-1,\"clock\":3723000000,"
                + "\"midnight\":86400000000,\"span\":-3020399500000,\"zoned\":\"2024-02-29T12:34:56.120000+05:30\","
                + "\"never\":\"infinity\",\"noon\":\"12:00:00.500000Z\",\"bits\":\"BQI=\","
                + "\"doc\":\"{\\\"a\\\":1.10}\",\"twice\":\"{\\\"a\\\":1,\\\"a\\\":2}\",\"broken\":\"{a\","
                + "\"any\":{\"scale\":1,\"value\":\"ew==\"},"
                + "\"huge\":{\"scale\":-2147483647,\"value\":\"ew==\"},"
                + "\"price\":\"BNI=\",\"days\":[0,null],\"none\":null}";
        SourceEvent.Put put = (SourceEvent.Put) read(
                        "{\"schema\":{},\"payload\":{\"id\":1}}",
                        "{\"schema\":{\"fields\":[{\"field\":\"after\",\"fields\":[" + columns + "]}]},"
                                + "\"payload\":{\"op\":\"c\",\"after\":" + row + "," + SOURCE + "}}")
                .orElseThrow();
        assertThat(put.table()).isEqualTo("shop.items");
        assertThat(put.row().toString())
                .isEqualTo("{\"id\":1,\"day\":\"2024-02-29\",\"at\":\"2024-02-29T12:34:56.123456\","
                        + "\"old\":\"1969-12-31T23:59:59.999\",\"clock\":\"01:02:03\",\"midnight\":\"24:00:00\","
                        + "\"span\":\"-838:59:59.5\",\"zoned\":\"2024-02-29T07:04:56.12Z\",\"never\":\"infinity\","
                        + "\"noon\":\"12:00:00.5Z\",\"bits\":\"1000000101\","
                        + "\"doc\":{\"a\":1.10},\"twice\":{\"a\":2},\"broken\":\"{a\",\"any\":12.3,"
                        + "\"huge\":{\"scale\":-2147483647,\"value\":\"ew==\"},"
                        + "\"price\":12.34,\"days\":[\"1970-01-01\",null],"
                        + "\"none\":null}");
    }

    @Test
    void anArrayOfDocumentsThatNoRowCanHoldIsItsText() throws Exception {
        String document = "[".repeat(63) + "]".repeat(63);
        SourceEvent.Put put = (SourceEvent.Put) read(
                        "{}",
                        "{\"schema\":{\"fields\":[{\"field\":\"after\",\"fields\":[{\"field\":\"docs\","
                                + "\"type\":\"array\",\"items\":{\"name\":\"io.debezium.data.Json\"}}]}]},"
                                + "\"payload\":{\"op\":\"c\",\"after\":{\"docs\":[\"" + document + "\"]}," + SOURCE
                                + "}}")
                .orElseThrow();
        assertThat(put.row().path("docs")).isEqualTo(TextNode.valueOf("[" + document + "]"));
    }

    @Test
    void aNumberThatCannotBeReadIsNamedWithItsRecord() {
        assertThatThrownBy(() -> read("{}", "{\"op\":\"c\",\"after\":{\"n\":1e99999999999}," + SOURCE + "}"))
                .isInstanceOf(Topics.TopicsException.class)
                .hasMessageContaining("the record 7 of t-0");
        assertThatThrownBy(() -> read("{\"n\":1e99999999999}", "{\"op\":\"c\",\"after\":{}," + SOURCE + "}"))
                .isInstanceOf(Topics.TopicsException.class)
                .hasMessageContaining("its key is no JSON");
    }

    @Test
    void columnsThatWereNotSentAreKeptAndTheKeyIsKnown() throws Exception {
        String gone = "\"__debezium_unavailable_value\"";
        SourceEvent.Put put = (SourceEvent.Put) read(
                        "{\"id\":\"long\"}",
                        "{\"op\":\"u\",\"before\":{\"id\":null,\"other\":null},\"after\":{\"id\":" + gone
                                + ",\"other\":" + gone + ",\"list\":[" + gone + "],\"n\":1}," + SOURCE + "}")
                .orElseThrow();
        assertThat(put.row().toString()).isEqualTo("{\"n\":1,\"id\":\"long\"}");
        assertThat(put.keep()).containsExactly("other", "list");
    }

    /** The placeholder of each type, as PostgreSQL's connector of Debezium has them. */
    @Test
    void valuesThatWereNotSentAreKnownInTheTypeOfTheirColumn() throws Exception {
        String text = "__debezium_unavailable_value";
        byte[] bytes = text.getBytes(UTF_8);
        String numbers = IntStream.range(0, bytes.length)
                .mapToObj(at -> Integer.toString(bytes[at]))
                .collect(Collectors.joining(","));
        String pair = "{\"" + text + "\":\"" + text + "\"}";
        String base64 = Base64.getEncoder().encodeToString(bytes);
        String unsent = "\"ints\":[" + numbers + "],\"uuids\":[\"" + UUID.nameUUIDFromBytes(bytes) + "\"],\"map\":"
                + pair + ",\"json\":" + TextNode.valueOf(pair) + ",\"blobs\":[\"" + base64 + "\"]";
        String sent = "\"some\":[" + numbers + ",95],\"few\":[95,95],\"none\":[],\"uuid\":[\"" + new UUID(1, 2)
                + "\"],\"pairs\":{\"" + text + "\":\"other\"},\"other\":{\"a\":\"" + text + "\"}";
        SourceEvent.Put put =
                (SourceEvent.Put) read("{}", "{\"op\":\"u\",\"after\":{" + unsent + "," + sent + "}," + SOURCE + "}")
                        .orElseThrow();
        assertThat(put.keep()).containsExactly("ints", "uuids", "map", "json", "blobs");
        assertThat(put.row().toString()).isEqualTo("{" + sent + "}");
    }

    @Test
    void rowsOfTheMarkerTableAreMarkersOfTheirSource() throws Exception {
        String row = "{\"op\":\"u\",\"after\":{\"source\":\"shop\",\"content\":\"{}\"},"
                + "\"source\":{\"db\":\"tidemark\",\"table\":\"markers\"}}";
        assertThat(read("{}", row)).contains(new SourceEvent.Marker(Optional.empty(), "{}"));
        assertThat(read("{}", row.replace("\"shop\"", "\"other\""))).isEmpty();
        assertThat(read("{}", row.replace("\"db\"", "\"snapshot\":\"incremental\",\"db\"")))
                .contains(new SourceEvent.Marker(Optional.empty(), "{}"));
        assertThat(read("{}", row.replace("\"db\"", "\"snapshot\":\"first\",\"db\"")))
                .contains(new SourceEvent.Other(Optional.empty()));
    }
}
