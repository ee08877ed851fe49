package dev.tidemark.worker.apply;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RefusalsTest {
    @Test
    void countsAllAndNamesTheLast() {
        Refusals earlier = Refusals.NONE.plus("a").plus("b");

        assertThat(earlier).isEqualTo(new Refusals(2, Optional.of("b")));
        assertThat(earlier.plus(Refusals.NONE)).isEqualTo(earlier);
        assertThat(earlier.plus(Refusals.NONE.plus("c"))).isEqualTo(new Refusals(3, Optional.of("c")));
    }
}
