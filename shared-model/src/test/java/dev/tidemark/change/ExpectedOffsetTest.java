package dev.tidemark.change;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectedOffsetTest {
    @Test
    void isMetAtThatOffsetOnly() {
        Map<String, String> headers = Map.of(ExpectedOffset.HEADER, ExpectedOffset.text(42));

        assertThat(ExpectedOffset.isMet(headers, 42)).isTrue();
        assertThat(ExpectedOffset.isMet(headers, 41)).isFalse();
        assertThat(ExpectedOffset.isMet(headers, 43)).isFalse();
    }

    @Test
    void isMetWhereAnOlderWriterDidNotSay() {
        assertThat(ExpectedOffset.isMet(Map.of(), 42)).isTrue();
    }

    @Test
    void isNotMetWhereTheWriterDoesNotVouchOrTheTextIsNoNumber() {
        String unknown = ExpectedOffset.text(ExpectedOffset.UNKNOWN);

        assertThat(ExpectedOffset.isMet(Map.of(ExpectedOffset.HEADER, unknown), 0))
                .isFalse();
        assertThat(ExpectedOffset.isMet(Map.of(ExpectedOffset.HEADER, "soon"), 0))
                .isFalse();
    }
}
