package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class PlainEnvelopeTest {
    private static final int DAMAGED = 60_000;
    private static final List<String> ENVELOPES = List.of(
            "{\"op\":\"u\",\"after\":{\"id\":7,\"town\":\"Amélie\",\"n\":1.50,\"tags\":[\"a\",null,{\"b\":-2e3}]},\"ts_ms\":12}",
            "{\"op\":\"c\",\"after\":{},\"source\":{\"name\":\"tidemark\",\"version\":\"0001\"}}",
            "{\"after\":{\"q\":\"say \\\"hi\\\"\\n\",\"big\":123456789012345678901234567890},\"op\":\"r\"}",
            "{\"op\":\"u\",\"after\":{\"id\":7,\"id\":8}}");
    private static final List<String> PIECES = List.of(
            "\"",
            "\\",
            "\\u0041",
            "\\ud800",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "1e999999999",
            "-0",
            "00",
            "tru",
            "null",
            " ",
            "\u0001",
            "é",
            "\"op\":\"d\",",
            "\"after\":{},",
            "\"id\":1,");

    private static final RowFields WANTED = new RowFields(Set.of("id", "q", "big", "a", "n"));

    @Test
    void readsTheWordAndTheRowAsTheyAreWritten() {
        PlainEnvelope read = read("{\"op\":\"u\",\"after\":{\"b\": 1.50,\"a\":[1]},\"ts_ms\":1}");

        assertThat(Objects.requireNonNull(read).word()).isEqualTo("u");
        assertThat(new String(read.row().bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"b\": 1.50,\"a\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"op\":\"u\"}",
                "{\"after\":{}}",
                "{\"op\":1,\"after\":{}}",
                "{\"op\":\"u\",\"after\":[]}",
                "{\"op\":\"u\",\"after\":{}} 1",
                "{\"op\":\"u\",\"after\":{\"a\":1,\"a\":2}}",
                "{\"op\":\"u\",\"op\":\"u\",\"after\":{}}",
                "{\"op\":\"u\",\"after\":{\"a\":\"\\ud800\"}}",
                "{\"op\":\"u\",\"after\":{\"a\":1e99999999999}}",
                "{\"op\":\"u\",\"after\":{\"a\":11e2147483647}}",
                "{\"op\":\"u\",\"after\":{\"a\":\"\u0001\"}}"
            })
    void leavesToOthersWhatIsNotPlain(String json) {
        assertThat(read(json)).isNull();
    }

    @Test
    void takesRowsAsDeepAsRowsMayBe() {
        assertThat(read(deep(RowJson.MAX_DEPTH))).isNotNull();
        assertThat(read(deep(RowJson.MAX_DEPTH + 1))).isNull();
    }

    @Test
    void acceptsOnlyWhatATreeAcceptsAndUnderstandsItAlike() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < DAMAGED; i++) {
            byte[] json = damaged(ENVELOPES.get(random.nextInt(ENVELOPES.size())), random);
            PlainEnvelope read = PlainEnvelope.read(json, "op", "after", WANTED);
            if (read != null) {
                accepted++;
                assertThatCode(() -> {
                            ObjectNode tree = RowJson.parseEnvelope(json);
                            assertThat(read.word()).isEqualTo(tree.path("op").textValue());
                            assertThat(read.row().tree()).isEqualTo(tree.path("after"));
                            assertThat(WANTED.of(read.row()).fields())
                                    .isEqualTo(WANTED.of(read.row().bytes()).fields());
                        })
                        .as("seed %s, %s", seed, new String(json, StandardCharsets.UTF_8))
                        .doesNotThrowAnyException();
            }
        }
        assertThat(accepted).as("seed %s", seed).isBetween(DAMAGED / 20, DAMAGED * 19 / 20);
    }

    /** With up to two bytes changed, lost or put in. */
    private static byte[] damaged(String envelope, Random random) {
        byte[] json = envelope.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(json.length);
            byte[] piece = switch (random.nextInt(3)) {
                case 0 -> new byte[0];
                case 1 -> new byte[] {(byte) random.nextInt(256)};
                default -> PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
            };
            byte[] changed = Arrays.copyOf(json, json.length - 1 + piece.length);
            System.arraycopy(piece, 0, changed, at, piece.length);
            System.arraycopy(json, at + 1, changed, at + piece.length, json.length - at - 1);
            json = changed;
        }
        return json;
    }

    private static @Nullable PlainEnvelope read(String json) {
        return PlainEnvelope.read(json.getBytes(StandardCharsets.UTF_8), "op", "after", RowFields.NONE);
    }

    private static String deep(int depth) {
        return "{\"op\":\"u\",\"after\":" + "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1) + "}";
    }
}
