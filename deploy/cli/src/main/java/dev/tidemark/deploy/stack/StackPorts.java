package dev.tidemark.deploy.stack;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the children listen, all on the loopback address.
 *
 * @param broker for Kafka clients
 * @param controller for the broker's own controller, its only client
 * @param writers HTTP of each, at least one
 * @param workers HTTP of each, at least one
 */
public record StackPorts(int broker, int controller, List<Integer> writers, List<Integer> workers) {
    public static final int BROKER = 9092;
    public static final int WRITER = 8081;
    public static final int WORKER = 8082;

    public StackPorts {
        writers = List.copyOf(writers);
        workers = List.copyOf(workers);
    }

    /** Returns the ports that the command line assumes, whether they are free or not. */
    public static StackPorts standard() {
        return of(BROKER, WRITER, WORKER);
    }

    /** These three, and any free one for the controller. */
    public static StackPorts of(int broker, int writer, int worker) {
        return new StackPorts(
                broker, LoopbackPort.anyFree(Set.of(broker, writer, worker)), List.of(writer), List.of(worker));
    }

    /** Returns four ports that are free now. */
    public static StackPorts free() {
        Set<Integer> taken = new LinkedHashSet<>();
        while (taken.size() < 4) {
            taken.add(LoopbackPort.anyFree(taken));
        }
        Iterator<Integer> each = taken.iterator();
        return new StackPorts(each.next(), each.next(), List.of(each.next()), List.of(each.next()));
    }

    /** The port of the first writer. */
    public int writer() {
        return writers.get(0);
    }

    /** The port of the first worker. */
    public int worker() {
        return workers.get(0);
    }

    /** With that many workers, those after the first at any free ports. */
    StackPorts withWorkers(int count) {
        return new StackPorts(broker, controller, writers, more(workers, count));
    }

    /** With that many writers, those after the first at any free ports. */
    StackPorts withWriters(int count) {
        return new StackPorts(broker, controller, more(writers, count), workers);
    }

    /** A free port that no child has. */
    int another() {
        return LoopbackPort.anyFree(all());
    }

    private List<Integer> more(List<Integer> some, int count) {
        List<Integer> enough = new ArrayList<>(some.subList(0, 1));
        Set<Integer> taken = all();
        while (enough.size() < count) {
            taken.addAll(enough);
            enough.add(LoopbackPort.anyFree(taken));
        }
        return enough;
    }

    private Set<Integer> all() {
        Set<Integer> all = new HashSet<>(Set.of(broker, controller));
        all.addAll(writers);
        all.addAll(workers);
        return all;
    }

    /** Whether all that a user may choose could be used now. */
    public boolean areFree() {
        return byRole().values().stream().allMatch(LoopbackPort::isFree);
    }

    /**
     * Makes sure that all that a user may choose could be used now.
     *
     * @throws StackException that names every one which is in use, whom it was for, and the option that changes it
     */
    public void requireFree() throws StackException {
        Map<Role, Integer> asked = byRole();
        for (Map.Entry<Role, Integer> entry : asked.entrySet()) {
            if (!LoopbackPort.isFree(entry.getValue())) {
                String user = entry.getKey().label();
                throw new StackException("port " + entry.getValue() + " for the " + user
                        + " is in use; choose another with --" + user + "-port");
            }
        }
        if (Set.copyOf(asked.values()).size() < asked.size()) {
            throw new StackException("expected three different ports, but got " + broker + " for the broker, "
                    + writer() + " for the writer and " + worker() + " for the worker");
        }
    }

    private Map<Role, Integer> byRole() {
        return new EnumMap<>(Map.of(Role.BROKER, broker, Role.WRITER, writer(), Role.WORKER, worker()));
    }
}
