package dev.tidemark.deploy.drill.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.FirstKillPoint;

import static org.assertj.core.api.Assertions.assertThat;

class ArmingTest {
    private final Casualties casualties = new Casualties();
    private final Arming arming = new Arming(casualties, new Random(1));

    @Test
    void aWalkArmsAServiceAtEveryPlaceOfItsOwnThatWasHitTooSeldom() {
        List<Place> places = Place.all();
        casualties.addKillAt("relay.sent");
        casualties.addKillAt("relay.sent");
        casualties.addKillAt("relay.read");

        String armed = arming.atAnyBelow(Role.WRITER, places, 2);

        assertThat(namesIn(armed))
                .containsExactlyInAnyOrderElementsOf(places.stream()
                        .filter(place -> place.role() == Role.WRITER)
                        .map(Place::label)
                        .filter(label -> !label.equals("relay.sent"))
                        .toList());
    }

    @Test
    void aServiceThatWasHitEverywhereIsArmedNoMore() {
        Place.of(Role.WRITER).forEach(place -> casualties.addKillAt(place.label()));
        assertThat(arming.atAnyBelow(Role.WRITER, Place.all(), 1)).isEmpty();
        assertThat(arming.atAnyBelow(Role.WORKER, Place.all(), 1)).isNotEmpty();
        assertThat(arming.atOne(Role.BROKER)).isEmpty();
    }

    @Test
    void whatIsArmedIsWhatAProcessTakes() {
        List<String> ended = new ArrayList<>();
        FirstKillPoint points = new FirstKillPoint(arming.atAnyBelow(Role.WORKER, Place.all(), 1), ended::add);
        points.reach("assign.opened");
        assertThat(ended).containsExactly("assign.opened");
    }

    @Test
    void oneAtATimeEveryPlaceHasItsTurn() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < Place.of(Role.WORKER).size(); i++) {
            seen.addAll(namesIn(arming.atOne(Role.WORKER)));
        }
        assertThat(seen).hasSameSizeAs(Place.of(Role.WORKER));
    }

    @Test
    void halfIsHalfOfEachServiceAndTheSameForTheSameSeed() {
        List<Place> half = Place.share(2, new Random(7));
        assertThat(half).isEqualTo(Place.share(2, new Random(7))).doesNotHaveDuplicates();
        for (Role role : Role.values()) {
            assertThat(half)
                    .filteredOn(place -> place.role() == role)
                    .hasSize((Place.of(role).size() + 1) / 2);
        }
    }

    private static List<String> namesIn(String armed) {
        return Arrays.stream(armed.split(","))
                .map(one -> one.substring(0, one.indexOf(':')))
                .toList();
    }
}
