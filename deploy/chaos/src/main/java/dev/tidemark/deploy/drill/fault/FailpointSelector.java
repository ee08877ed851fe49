package dev.tidemark.deploy.drill.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Failpoints;

/** Chooses where a service that is started is to be killed, as {@link Failpoints#PROPERTY} takes it. For one thread. */
final class FailpointSelector {
    private static final int OFTEN = 60;
    private static final int SELDOM = 2;

    /** Of several places it is the first that counts, so each is made to come soon. */
    private static final int OFTEN_OF_SEVERAL = 12;

    private final FaultStats faultStats;
    private final Random random;
    private final Map<ServiceFailpoint, Integer> tried = new HashMap<>();

    FailpointSelector(FaultStats faultStats, Random random) {
        this.faultStats = faultStats;
        this.random = random;
    }

    /** At one of the places that were hit least, and of those at one that was tried least. */
    String atOne(Role role) {
        List<ServiceFailpoint> places = new ArrayList<>(ServiceFailpoint.of(role));
        if (places.isEmpty()) {
            return "";
        }
        Collections.shuffle(places, random);
        ServiceFailpoint next = Collections.min(
                places, Comparator.comparing(faultStats::hits).thenComparing(place -> tried.getOrDefault(place, 0)));
        tried.merge(next, 1, Integer::sum);
        return at(next, next.often() ? OFTEN : SELDOM);
    }

    /** At whichever comes first of those places of a service that were hit less often than that. */
    String atAnyBelow(Role role, List<ServiceFailpoint> places, int times) {
        return faultStats.below(places, times).stream()
                .filter(place -> place.role() == role)
                .map(place -> at(place, place.often() ? OFTEN_OF_SEVERAL : 1))
                .collect(Collectors.joining(","));
    }

    private String at(ServiceFailpoint place, int most) {
        return place.label() + ":" + (1 + random.nextInt(most));
    }
}
