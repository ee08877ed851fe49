package dev.tidemark.deploy.drill.fault;

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
    private final FailpointSelector arming = new FailpointSelector(faultStats, new Random(1));

    @Test
    void aWalkArmsAServiceAtEveryPlaceOfItsOwnThatWasHitTooSeldom() {
        List<ServiceFailpoint> places = ServiceFailpoint.all();
        faultStats.addKillAt("relay.sent");
        faultStats.addKillAt("relay.sent");
        faultStats.addKillAt("relay.read");

        String armed = arming.atAnyBelow(Role.WRITER, places, 2);

        assertThat(namesIn(armed))
                .containsExactlyInAnyOrderElementsOf(places.stream()
                        .filter(place -> place.role() == Role.WRITER)
                        .map(ServiceFailpoint::label)
                        .filter(label -> !label.equals("relay.sent"))
                        .toList());
    }

    @Test
    void aServiceThatWasHitEverywhereIsArmedNoMore() {
        ServiceFailpoint.of(Role.WRITER).forEach(place -> faultStats.addKillAt(place.label()));
        assertThat(arming.atAnyBelow(Role.WRITER, ServiceFailpoint.all(), 1)).isEmpty();
        assertThat(arming.atAnyBelow(Role.WORKER, ServiceFailpoint.all(), 1)).isNotEmpty();
        assertThat(arming.atOne(Role.BROKER)).isEmpty();
    }

    @Test
    void whatIsArmedIsWhatAProcessTakes() {
        List<String> ended = new ArrayList<>();
        Failpoints points = new Failpoints(arming.atAnyBelow(Role.WORKER, ServiceFailpoint.all(), 1), ended::add);
        points.reach("assign.opened");
        assertThat(ended).containsExactly("assign.opened");
    }

    @Test
    void oneAtATimeEveryPlaceHasItsTurn() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ServiceFailpoint.of(Role.WORKER).size(); i++) {
            seen.addAll(namesIn(arming.atOne(Role.WORKER)));
        }
        assertThat(seen).hasSameSizeAs(ServiceFailpoint.of(Role.WORKER));
    }

    @Test
    void halfIsHalfOfEachServiceAndTheSameForTheSameSeed() {
        List<ServiceFailpoint> half = ServiceFailpoint.share(2, new Random(7));
        assertThat(half).isEqualTo(ServiceFailpoint.share(2, new Random(7))).doesNotHaveDuplicates();
        for (Role role : Role.values()) {
            assertThat(half)
                    .filteredOn(place -> place.role() == role)
                    .hasSize((ServiceFailpoint.of(role).size() + 1) / 2);
        }
    }

    private static List<String> namesIn(String armed) {
        return Arrays.stream(armed.split(","))
                .map(one -> one.substring(0, one.indexOf(':')))
                .toList();
    }
}
