package dev.tidemark.change;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectationTest {
    @Test
    void whatIsWrittenCanBeRead() {
        Expectation said = new Expectation(42, 40, 1_795_607_824_811_000L);
        assertThat(Expectation.of(Map.of(Expectation.HEADER, said.text()))).contains(said);
        assertThat(Expectation.of(Map.of(Expectation.HEADER, said.unknown().text())))
                .contains(new Expectation(Expectation.UNKNOWN, 40, 1_795_607_824_811_000L));
    }

    @Test
    void olderWritersSaidLessOrNothing() {
        assertThat(Expectation.of(Map.of(Expectation.HEADER, "42"))).contains(new Expectation(42, 42, 0));
        assertThat(Expectation.of(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "42 ", "42 40", "42 40 x", " 42 40 1", "42 40 1 2", "99999999999999999999"})
    void whatCannotBeReadProvesNothing(String text) {
        assertThat(Expectation.of(Map.of(Expectation.HEADER, text))).contains(Expectation.NONE);
    }
}
