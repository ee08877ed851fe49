package dev.tidemark.writer.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LineReaderTest {
    @Test
    void skipsBlankLinesAndCountsThem() throws IOException {
        assertThat(lines("a\n\n \t\r\nb\r\n\nc", 10)).containsExactly("1:a", "4:b\r", "6:c");
    }

    @Test
    void aLastLineNeedsNoEnd() throws IOException {
        assertThat(lines("a", 10)).containsExactly("1:a");
        assertThat(lines("a\n", 10)).containsExactly("1:a");
        assertThat(lines("", 10)).isEmpty();
        assertThat(lines("\n", 10)).isEmpty();
    }

    @Test
    void readsPastALineThatIsTooLong() throws IOException {
        assertThat(lines("a\n" + "x".repeat(200_000) + "\nb", 10)).containsExactly("1:a", "2:too long", "3:b");
    }

    @Test
    void aLineMayBeAsLongAsTheBound() throws IOException {
        assertThat(lines("x".repeat(10), 10)).containsExactly("1:" + "x".repeat(10));
        assertThat(lines("x".repeat(11), 10)).containsExactly("1:too long");
    }

    @Test
    void joinsWhatArrivesInPieces() throws IOException {
        String text = "a".repeat(100_000) + "\n" + "b".repeat(100_000);

        assertThat(lines(text, 100_000)).extracting(String::length).containsExactly(100_002, 100_002);
    }

    private static List<String> lines(String text, int maxBytes) throws IOException {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        LineReader reader = new LineReader(in, maxBytes);
        List<String> lines = new ArrayList<>();
        for (BulkLine line = reader.next(); line != null; line = reader.next()) {
            byte[] bytes = line.bytes();
            lines.add(line.number() + ":" + (bytes == null ? "too long" : new String(bytes, StandardCharsets.UTF_8)));
        }
        return lines;
    }
}
