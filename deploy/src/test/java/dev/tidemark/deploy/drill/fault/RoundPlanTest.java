package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;

class RoundPlanTest {
    private static final Duration LENGTH = Duration.ofSeconds(3);

    @Test
    void theSameSeedGivesTheSamePlan() {
        Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
        assertThat(RoundPlan.of(4, LENGTH, all, new Random(1))).isEqualTo(RoundPlan.of(4, LENGTH, all, new Random(1)));
    }

    @Test
    void everyKindHasItsTurn() {
        Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
        Set<FaultKind> seen = new HashSet<>(Set.of(FaultKind.POINTS));
        Random random = new Random(1);
        for (int round = 0; round < all.size(); round++) {
            RoundPlan.of(round, LENGTH, all, random).strikes().forEach(strike -> seen.add(strike.kind()));
        }
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void bothServicesAreKilledSoonWherePointsAreWantedSoThatTheyComeBackArmed() {
        List<RoundPlan.Strike> strikes = RoundPlan.of(0, LENGTH, EnumSet.of(FaultKind.POINTS), new Random(1))
                .strikes();
        assertThat(strikes).extracting(RoundPlan.Strike::role).containsExactlyInAnyOrder(Role.WRITER, Role.WORKER);
        assertThat(strikes).allMatch(strike -> strike.at().compareTo(Duration.ofSeconds(1)) < 0);
    }

    @Test
    void nothingIsDoneThatWasNotAskedFor() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(RoundPlan.of(seed, LENGTH, EnumSet.of(FaultKind.CLOCK), new Random(seed))
                            .strikes())
                    .as("seed %d", seed)
                    .extracting(RoundPlan.Strike::kind)
                    .containsExactly(FaultKind.CLOCK);
        }
    }
}
