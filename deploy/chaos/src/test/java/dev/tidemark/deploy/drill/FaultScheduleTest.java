package dev.tidemark.deploy.drill;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;

class FaultScheduleTest {
    private static final Duration LENGTH = Duration.ofSeconds(3);

    @Test
    void theSameSeedGivesTheSamePlan() {
        Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
        assertThat(FaultInjector.strikes(4, LENGTH, all, new Random(1)))
                .isEqualTo(FaultInjector.strikes(4, LENGTH, all, new Random(1)));
    }

    @Test
    void everyKindHasItsTurn() {
        Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
        Set<FaultKind> seen = new HashSet<>(Set.of(FaultKind.POINTS));
        Random random = new Random(1);
        for (int round = 0; round < all.size(); round++) {
            FaultInjector.strikes(round, LENGTH, all, random).forEach(strike -> seen.add(strike.kind()));
        }
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void bothServicesAreKilledSoonWherePointsAreWantedSoThatTheyComeBackArmed() {
        List<FaultInjector.Strike> strikes =
                FaultInjector.strikes(0, LENGTH, EnumSet.of(FaultKind.POINTS), new Random(1));
        assertThat(strikes).extracting(FaultInjector.Strike::role).containsExactlyInAnyOrder(Role.WRITER, Role.WORKER);
        assertThat(strikes).allMatch(strike -> strike.at().compareTo(Duration.ofSeconds(1)) < 0);
    }

    @Test
    void nothingIsDoneThatWasNotAskedFor() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(FaultInjector.strikes(seed, LENGTH, EnumSet.of(FaultKind.CLOCK), new Random(seed)))
                    .as("seed %d", seed)
                    .extracting(FaultInjector.Strike::kind)
                    .containsExactly(FaultKind.CLOCK);
        }
    }
}
