package dev.tidemark.deploy.drill.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.worker.killpoint.WorkerPoint;
import dev.tidemark.writer.killpoint.WriterPoint;

/**
 * A named point at which a service can be killed.
 *
 * @param often whether the service comes there many times a second
 */
public record Place(Role role, String label, boolean often) {
    private static final List<Place> ALL = Stream.concat(
                    Arrays.stream(WriterPoint.values())
                            .map(point -> new Place(Role.WRITER, point.label(), point.isOften())),
                    Arrays.stream(WorkerPoint.values())
                            .map(point -> new Place(Role.WORKER, point.label(), point.isOften())))
            .toList();

    /** Every place of both services. */
    public static List<Place> all() {
        return ALL;
    }

    /** Half of the places of each service, chosen at random. */
    public static List<Place> half(Random random) {
        List<Place> half = new ArrayList<>();
        for (Role role : Role.values()) {
            List<Place> places = new ArrayList<>(of(role));
            Collections.shuffle(places, random);
            half.addAll(places.subList(0, (places.size() + 1) / 2));
        }
        return List.copyOf(half);
    }

    /** Those of one. */
    static List<Place> of(Role role) {
        return ALL.stream().filter(place -> place.role() == role).toList();
    }
}
