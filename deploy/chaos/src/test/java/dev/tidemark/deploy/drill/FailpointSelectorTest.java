package dev.tidemark.deploy.drill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Failpoints;

import static org.assertj.core.api.Assertions.assertThat;

class FailpointSelectorTest {
    private final FaultStats faultStats = new FaultStats();
    private final FaultInjector.FailpointSelector arming =
            new FaultInjector.FailpointSelector(faultStats, new Random(1));

    @Test
    void aWalkArmsAServiceAtEveryPlaceOfItsOwnThatWasHitTooSeldom() {
        List<FaultStats.ServiceFailpoint> places = FaultStats.ServiceFailpoint.all();
        faultStats.addKillAt("relay.sent");
        faultStats.addKillAt("relay.sent");
        faultStats.addKillAt("relay.read");

        String armed = arming.atAnyBelow(Role.WRITER, places, 2);

        assertThat(namesIn(armed))
                .containsExactlyInAnyOrderElementsOf(places.stream()
                        .filter(place -> place.role() == Role.WRITER)
                        .map(FaultStats.ServiceFailpoint::label)
                        .filter(label -> !label.equals("relay.sent"))
                        .toList());
    }

    @Test
    void aServiceThatWasHitEverywhereIsArmedNoMore() {
        FaultStats.ServiceFailpoint.of(Role.WRITER).forEach(place -> faultStats.addKillAt(place.label()));
        assertThat(arming.atAnyBelow(Role.WRITER, FaultStats.ServiceFailpoint.all(), 1))
                .isEmpty();
        assertThat(arming.atAnyBelow(Role.WORKER, FaultStats.ServiceFailpoint.all(), 1))
                .isNotEmpty();
        assertThat(arming.atOne(Role.BROKER)).isEmpty();
    }

    @Test
    void whatIsArmedIsWhatAProcessTakes() {
        List<String> ended = new ArrayList<>();
        Failpoints points =
                new Failpoints(arming.atAnyBelow(Role.WORKER, FaultStats.ServiceFailpoint.all(), 1), ended::add);
        points.reach("assign.opened");
        assertThat(ended).containsExactly("assign.opened");
    }

    @Test
    void oneAtATimeEveryPlaceHasItsTurn() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < FaultStats.ServiceFailpoint.of(Role.WORKER).size(); i++) {
            seen.addAll(namesIn(arming.atOne(Role.WORKER)));
        }
        assertThat(seen).hasSameSizeAs(FaultStats.ServiceFailpoint.of(Role.WORKER));
    }

    @Test
    void halfIsHalfOfEachServiceAndTheSameForTheSameSeed() {
        List<FaultStats.ServiceFailpoint> half = FaultStats.ServiceFailpoint.share(2, new Random(7));
        assertThat(half)
                .isEqualTo(FaultStats.ServiceFailpoint.share(2, new Random(7)))
                .doesNotHaveDuplicates();
        for (Role role : Role.values()) {
            assertThat(half)
                    .filteredOn(place -> place.role() == role)
                    .hasSize((FaultStats.ServiceFailpoint.of(role).size() + 1) / 2);
        }
    }

    private static List<String> namesIn(String armed) {
        return Arrays.stream(armed.split(","))
                .map(one -> one.substring(0, one.indexOf(':')))
                .toList();
    }
}
