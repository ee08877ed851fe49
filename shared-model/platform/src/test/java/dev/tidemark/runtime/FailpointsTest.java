package dev.tidemark.runtime;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FailpointsTest {
    private final List<String> ended = new ArrayList<>();

    @Test
    void endsTheProcessOnceWhenThePointIsReachedSoOften() {
        Failpoints point = new Failpoints("relay.sent:2", ended::add);
        point.reach("relay.sent");
        point.reach("relay.read");
        assertThat(ended).isEmpty();
        point.reach("relay.sent");
        point.reach("relay.sent");
        assertThat(ended).containsExactly("relay.sent");
    }

    @Test
    void ofSeveralPointsTheFirstThatIsReachedOftenEnoughEndsTheProcess() {
        Failpoints points = new Failpoints("relay.sent:2,trim.done:1,relay.read:1", ended::add);
        points.reach("relay.sent");
        points.reach("trim.done");
        points.reach("relay.read");
        points.reach("relay.sent");
        assertThat(ended).containsExactly("trim.done");
    }

    @Test
    void refusesATextThatNamesNoPointOrNoPositiveCount() {
        for (String text : List.of(
                "", "relay.sent", "relay.sent:", "relay.sent:0", "relay.sent:-1", ":3", "a:x", "a:1,", "a:1,b")) {
            assertThatThrownBy(() -> new Failpoints(text, ended::add))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NAME:COUNT");
        }
    }

    @Test
    void aProcessThatIsStartedWithoutThePropertyHasNoFailpoint() {
        assertThat(Failpoints.areOn()).isFalse();
    }
}
