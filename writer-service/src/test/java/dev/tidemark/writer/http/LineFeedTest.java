package dev.tidemark.writer.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LineFeedTest {
    @Test
    void skipsBlankLinesAndCountsThem() {
        assertThat(lines("a\n\n \t\r\nb\r\n\nc", 10)).containsExactly("1:a", "4:b\r", "6:c");
    }

    @Test
    void aLastLineNeedsNoEnd() {
        assertThat(lines("a", 10)).containsExactly("1:a");
        assertThat(lines("a\n", 10)).containsExactly("1:a");
        assertThat(lines("", 10)).isEmpty();
        assertThat(lines("\n", 10)).isEmpty();
    }

    @Test
    void readsPastALineThatIsTooLong() {
        assertThat(lines("a\n" + "x".repeat(200_000) + "\nb", 10)).containsExactly("1:a", "2:too long", "3:b");
    }

    @Test
    void aLineMayBeAsLongAsTheBound() {
        assertThat(lines("x".repeat(10), 10)).containsExactly("1:" + "x".repeat(10));
        assertThat(lines("x".repeat(11), 10)).containsExactly("1:too long");
    }

    @Test
    void joinsWhatArrivesInPieces() {
        String text = "a".repeat(100_000) + "\n" + "b".repeat(100_000);

        assertThat(lines(text, 100_000)).extracting(String::length).containsExactly(100_002, 100_002);
    }

    private static List<String> lines(String text, int maxBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<String> whole = new ArrayList<>();
        LineFeed feed = new LineFeed(maxBytes);
        feed.take(bytes, bytes.length, (number, line) -> whole.add(shown(number, line)));
        feed.end((number, line) -> whole.add(shown(number, line)));
        List<String> bits = new ArrayList<>();
        LineFeed slow = new LineFeed(maxBytes);
        for (byte one : bytes) {
            slow.take(new byte[] {one}, 1, (number, line) -> bits.add(shown(number, line)));
        }
        slow.end((number, line) -> bits.add(shown(number, line)));
        assertThat(bits).as("byte by byte").isEqualTo(whole);
        return whole;
    }

    private static String shown(long number, byte @Nullable [] bytes) {
        return number + ":" + (bytes == null ? "too long" : new String(bytes, StandardCharsets.UTF_8));
    }
}
