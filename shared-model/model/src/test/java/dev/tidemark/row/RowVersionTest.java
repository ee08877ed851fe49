package dev.tidemark.row;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowVersionTest {
    private static final List<RowVersion> ASCENDING = List.of(
            RowVersion.NONE,
            new RowVersion(1, 1),
            new RowVersion(1, 9),
            new RowVersion(1, 10),
            new RowVersion(1, 999_999_999_999_999L),
            new RowVersion(2, 0),
            new RowVersion(10, 1),
            new RowVersion(9_999, 999_999_999_999_999L));

    @Test
    void hasTheSameOrderAsItsText() {
        assertThat(ASCENDING).isSorted();
        assertThat(ASCENDING).extracting(RowVersion::toString).isSorted().allMatch(text -> text.length() == 19);
        assertThat(ASCENDING.get(5).isAfter(ASCENDING.get(4))).isTrue();
        assertThat(ASCENDING.get(4).isAfter(ASCENDING.get(4))).isFalse();
    }

    @Test
    void readsWhatItWrote() {
        assertThat(new RowVersion(12, 345)).hasToString("0012000000000000345");
        for (RowVersion version : ASCENDING) {
            assertThat(RowVersion.parse(version.toString())).isEqualTo(version);
        }
    }

    @Test
    void refusesOtherText() {
        for (String text : List.of(
                "",
                "1",
                "000100000000000000",
                "00010000000000000001",
                "+001000000000000001",
                "٠٠٠١٠٠٠٠٠٠٠٠٠٠٠٠٠٠١",
                "0001 00000000000001")) {
            assertThatThrownBy(() -> RowVersion.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("19 digits");
        }
    }

    @Test
    void refusesWhatTheTextCannotHold() {
        assertThatThrownBy(() -> new RowVersion(10_000, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RowVersion(1, 1_000_000_000_000_000L))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RowVersion(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RowVersion(1, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
