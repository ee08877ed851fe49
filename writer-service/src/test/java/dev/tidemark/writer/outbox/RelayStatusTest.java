package dev.tidemark.writer.outbox;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.writer.outbox.RelayState.Phase;

import static org.assertj.core.api.Assertions.assertThat;

class RelayStatusTest {
    private static final TableHold REFUSED = new TableHold(TableHold.Kind.REFUSED, "its cleanup.policy is delete");
    private static final TableHold WAITING = new TableHold(TableHold.Kind.WAITING, "it is gone");

    private final RelayStatus status = new RelayStatus();

    @ParameterizedTest
    @EnumSource(Phase.class)
    void itMayBeLongWhileTheRelayWaitsOrRefuses(Phase phase) {
        status.enter(new RelayState(phase, "why"));

        assertThat(status.mayBeLong()).isEqualTo(phase == Phase.WAITING || phase == Phase.REFUSED);
    }

    @Test
    void anOutboxThatCannotBePublishedRefusesAllWrites() {
        status.answered();
        status.enter(new RelayState(Phase.REFUSED, "the outbox lacks change 2"));

        assertThat(status.refusal()).contains("the outbox lacks change 2");
    }

    @Test
    void allWritesAreRefusedWhereEveryTableRefusesThem() {
        status.answered();

        status.hold(Map.of("a", REFUSED, "b", REFUSED), 2);
        assertThat(status.refusal()).contains(REFUSED.reason());

        status.hold(Map.of("a", REFUSED), 2);
        assertThat(status.refusal()).isEmpty();

        status.hold(Map.of("a", REFUSED, "b", WAITING), 2);
        assertThat(status.refusal()).isEmpty();

        status.hold(Map.of(), 0);
        assertThat(status.refusal()).isEmpty();
    }
}
