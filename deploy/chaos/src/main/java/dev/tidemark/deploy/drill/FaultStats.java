package dev.tidemark.deploy.drill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.worker.failpoint.WorkerFailpoint;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/** What was hit, and how often. For one thread. */
public final class FaultStats {
    private final Map<Role, Integer> atRandom = new EnumMap<>(Role.class);
    private final Map<String, Integer> atPlaces = new TreeMap<>();
    private final Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
    private final Map<String, Integer> skipped = new TreeMap<>();

    /** Nothing was hit. */
    public FaultStats() {
        for (Role role : Role.values()) {
            atRandom.put(role, 0);
        }
        ServiceFailpoint.all().forEach(place -> atPlaces.put(place.label(), 0));
    }

    void addKill(Role role) {
        atRandom.merge(role, 1, Integer::sum);
    }

    void addKillAt(String place) {
        atPlaces.merge(place, 1, Integer::sum);
    }

    void injected(FaultKind kind) {
        faults.merge(kind, 1, Integer::sum);
    }

    void skipped(FaultKind kind, String why) {
        skipped.merge(kind.option() + ": " + why, 1, Integer::sum);
    }

    /** Kills at random times, by process. */
    public Map<Role, Integer> killed() {
        return atRandom;
    }

    /** Kills at places, by their labels; 0 for those that were not reached. */
    public Map<String, Integer> atPlaces() {
        return atPlaces;
    }

    int hits(ServiceFailpoint place) {
        return atPlaces.getOrDefault(place.label(), 0);
    }

    /** Those places at which fewer were killed than that. */
    List<ServiceFailpoint> below(List<ServiceFailpoint> places, int times) {
        return places.stream().filter(place -> hits(place) < times).toList();
    }

    /** How often each kind was done. */
    public Map<FaultKind, Integer> faults() {
        return faults;
    }

    /** What could not be done, why, and how often. */
    public Map<String, Integer> skipped() {
        return skipped;
    }

    /**
     * A named point at which a service can be killed.
     *
     * @param often whether the service comes there many times a second
     */
    public record ServiceFailpoint(Role role, String label, boolean often) {
        private static final List<ServiceFailpoint> ALL = Stream.concat(
                        Arrays.stream(WriterFailpoint.values())
                                .map(point -> new ServiceFailpoint(Role.WRITER, point.label(), point.isOften())),
                        Arrays.stream(WorkerFailpoint.values())
                                .map(point -> new ServiceFailpoint(Role.WORKER, point.label(), point.isOften())))
                .toList();

        /** Every place of both services. */
        public static List<ServiceFailpoint> all() {
            return ALL;
        }

        /**
         * A share of the places of each service, chosen at random.
         *
         * @param nth 2 for half of them, 3 for a third; rounded up
         */
        public static List<ServiceFailpoint> share(int nth, Random random) {
            List<ServiceFailpoint> share = new ArrayList<>();
            for (Role role : Role.values()) {
                List<ServiceFailpoint> places = new ArrayList<>(of(role));
                Collections.shuffle(places, random);
                share.addAll(places.subList(0, (places.size() + nth - 1) / nth));
            }
            return List.copyOf(share);
        }

        /** Those of one. */
        static List<ServiceFailpoint> of(Role role) {
            return ALL.stream().filter(place -> place.role() == role).toList();
        }
    }
}
