package dev.tidemark.deploy.drill.fault;

import java.util.Arrays;
import java.util.List;
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

    /** Those of one. */
    static List<Place> of(Role role) {
        return ALL.stream().filter(place -> place.role() == role).toList();
    }
}
