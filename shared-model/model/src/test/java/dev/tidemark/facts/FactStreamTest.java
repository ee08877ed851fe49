package dev.tidemark.facts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FactStreamTest {
    private static final FactStreamHead HEAD =
            new FactStreamHead(new RowVersion(3, 77), Instant.parse("2024-05-01T10:00:00.123456Z"));
    private static final KeyBytes FIRST = KeyBytes.wrap(new byte[] {1});
    private static final KeyBytes SECOND = KeyBytes.wrap(new byte[] {(byte) 0xff, 0});

    @Test
    void givesBackWhatWasWritten() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FactStreamWriter out = new FactStreamWriter(bytes, HEAD);
        out.row(FIRST, new RowVersion(3, 5), row("{\"a\":1}"));
        out.version(SECOND, new RowVersion(3, 9));
        out.end();

        FactStreamReader in = read(bytes.toByteArray());

        assertThat(in.head()).isEqualTo(HEAD);
        assertThat(facts(in))
                .containsExactly(
                        new StreamedFact(FIRST, new RowVersion(3, 5), Optional.of(row("{\"a\":1}"))),
                        new StreamedFact(SECOND, new RowVersion(3, 9), Optional.empty()));
        assertThat(in.next()).isNull();
    }

    @Test
    void anEmptyTableIsAWholeStream() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new FactStreamWriter(bytes, HEAD).end();

        assertThat(facts(read(bytes.toByteArray()))).isEmpty();
    }

    @Test
    void aStreamCutAtAnyByteIsTorn() throws IOException {
        byte[] whole = twoRows();
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);

            assertThatThrownBy(() -> facts(read(torn)))
                    .as("the first %s bytes", length)
                    .isInstanceOf(TornStreamException.class);
        }
    }

    @Test
    void aWrongCountIsTorn() throws IOException {
        byte[] bytes = twoRows();
        bytes[bytes.length - 1]++;

        assertThatThrownBy(() -> facts(read(bytes)))
                .isInstanceOf(TornStreamException.class)
                .hasMessage("Expected 3 rows, but got 2");
    }

    @Test
    void anErrorTextInPlaceOfAFrameIsTorn() throws IOException {
        byte[] whole = twoRows();
        byte[] bytes = Arrays.copyOf(whole, whole.length - 9);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.write(bytes);
        answer.write("{\"status\":500}".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> facts(read(answer.toByteArray())))
                .isInstanceOf(TornStreamException.class)
                .hasMessageContaining("after row 2");
    }

    @Test
    void keysThatDoNotAscendAreTorn() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FactStreamWriter out = new FactStreamWriter(bytes, HEAD);
        out.version(SECOND, new RowVersion(1, 1));
        out.version(FIRST, new RowVersion(1, 2));
        out.end();

        assertThatThrownBy(() -> facts(read(bytes.toByteArray())))
                .isInstanceOf(TornStreamException.class)
                .hasMessageStartingWith("Expected a key above ff00");
    }

    @Test
    void anotherFormatIsRefusedAtItsHead() {
        assertThatThrownBy(() -> read("{\"title\":\"Not found\"}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(TornStreamException.class)
                .hasMessageContaining("it begins with");
    }

    private static byte[] twoRows() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FactStreamWriter out = new FactStreamWriter(bytes, HEAD);
        out.row(FIRST, new RowVersion(3, 5), row("{\"a\":1}"));
        out.row(SECOND, new RowVersion(3, 9), row("{}"));
        out.end();
        return bytes.toByteArray();
    }

    private static FactStreamReader read(byte[] bytes) throws IOException {
        return new FactStreamReader(new ByteArrayInputStream(bytes));
    }

    private static List<StreamedFact> facts(FactStreamReader in) throws IOException {
        List<StreamedFact> facts = new ArrayList<>();
        for (StreamedFact fact = in.next(); fact != null; fact = in.next()) {
            facts.add(fact);
        }
        return facts;
    }

    private static RowDocument row(String json) {
        return RowDocument.stored(json.getBytes(StandardCharsets.UTF_8));
    }
}
