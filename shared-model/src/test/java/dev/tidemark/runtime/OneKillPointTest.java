package dev.tidemark.runtime;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OneKillPointTest {
    private final List<String> ended = new ArrayList<>();

    @Test
    void endsTheProcessOnceWhenThePointIsReachedSoOften() {
        OneKillPoint point = new OneKillPoint("relay.sent:2", ended::add);
        point.reach("relay.sent");
        point.reach("relay.read");
        assertThat(ended).isEmpty();
        point.reach("relay.sent");
        point.reach("relay.sent");
        assertThat(ended).containsExactly("relay.sent");
    }

    @Test
    void refusesATextThatNamesNoPointOrNoPositiveCount() {
        for (String text : List.of("", "relay.sent", "relay.sent:", "relay.sent:0", "relay.sent:-1", ":3", "a:x")) {
            assertThatThrownBy(() -> new OneKillPoint(text, ended::add))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NAME:COUNT");
        }
    }

    @Test
    void aProcessThatWasToldNothingHasNoPoint() {
        assertThat(OneKillPoint.ofProcess()).isEmpty();
    }
}
