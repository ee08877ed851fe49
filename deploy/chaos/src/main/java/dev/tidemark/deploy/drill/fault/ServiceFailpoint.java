package dev.tidemark.deploy.drill.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.worker.failpoint.WorkerFailpoint;
import dev.tidemark.writer.failpoint.WriterFailpoint;

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
