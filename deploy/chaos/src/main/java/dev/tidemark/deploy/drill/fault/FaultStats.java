package dev.tidemark.deploy.drill.fault;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.deploy.stack.Role;

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
        return new EnumMap<>(atRandom);
    }

    /** Kills at places, by their labels; 0 for those that were not reached. */
    public Map<String, Integer> atPlaces() {
        return new TreeMap<>(atPlaces);
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
        return Map.copyOf(faults);
    }

    /** What could not be done, why, and how often. */
    public Map<String, Integer> skipped() {
        return new TreeMap<>(skipped);
    }
}
