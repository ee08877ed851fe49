package dev.tidemark.change;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectedPositionTest {
    @Test
    void whatIsWrittenCanBeRead() {
        ExpectedPosition said = new ExpectedPosition(42, 40, 1_795_607_824_811_000L);
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, said.text())))
                .contains(said);
        assertThat(ExpectedPosition.of(
                        Map.of(ExpectedPosition.HEADER, said.unknown().text())))
                .contains(new ExpectedPosition(ExpectedPosition.UNKNOWN, 40, 1_795_607_824_811_000L));
    }

    @Test
    void olderWritersSaidLessOrNothing() {
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, "42")))
                .contains(new ExpectedPosition(42, 42, 0));
        assertThat(ExpectedPosition.of(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "42 ", "42 40", "42 40 x", " 42 40 1", "42 40 1 2", "99999999999999999999"})
    void whatCannotBeReadProvesNothing(String text) {
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, text))).contains(ExpectedPosition.NONE);
    }
}
