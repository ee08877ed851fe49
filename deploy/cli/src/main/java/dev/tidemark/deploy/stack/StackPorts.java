package dev.tidemark.deploy.stack;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.tidemark.settings.BadSettingsException;

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
    private static final int LAST = 65_535;

    public StackPorts {
        writers = List.copyOf(writers);
        workers = List.copyOf(workers);
    }

    /** Returns the ports that the command line assumes, whether they are free or not. */
    public static StackPorts standard() {
        return withController(BROKER, WRITER, WORKER);
    }

    /**
     * These three, and any free one for the controller.
     *
     * @throws BadSettingsException when one is no port, or is given twice; the message names the options
     */
    public static StackPorts of(int broker, int writer, int worker) throws BadSettingsException {
        Map<Integer, Role> users = new HashMap<>();
        for (Map.Entry<Role, Integer> asked : byRole(broker, writer, worker).entrySet()) {
            int port = asked.getValue();
            if (port < 1 || port > LAST) {
                throw new BadSettingsException(
                        "expected " + option(asked.getKey()) + " from 1 to " + LAST + ", but got " + port);
            }
            Role other = users.put(port, asked.getKey());
            if (other != null) {
                throw new BadSettingsException("expected three different ports, but got " + port + " as "
                        + option(other) + " and as " + option(asked.getKey()));
            }
        }
        return withController(broker, writer, worker);
    }

    private static StackPorts withController(int broker, int writer, int worker) {
        return new StackPorts(
                broker, LoopbackPort.anyFree(Set.of(broker, writer, worker)), List.of(writer), List.of(worker));
    }

    /** Returns four ports that are free now. */
    public static StackPorts free() {
        return withBroker(LoopbackPort.anyFree(Set.of()));
    }

    /** That port for the broker, and three others that are free now. */
    public static StackPorts withBroker(int broker) {
        Set<Integer> taken = new LinkedHashSet<>(Set.of(broker));
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
        for (Map.Entry<Role, Integer> entry : byRole().entrySet()) {
            if (!LoopbackPort.isFree(entry.getValue())) {
                throw new StackException("port " + entry.getValue() + " for the "
                        + entry.getKey().label() + " is in use; choose another with " + option(entry.getKey()));
            }
        }
    }

    private Map<Role, Integer> byRole() {
        return byRole(broker, writer(), worker());
    }

    private static Map<Role, Integer> byRole(int broker, int writer, int worker) {
        return new EnumMap<>(Map.of(Role.BROKER, broker, Role.WRITER, writer, Role.WORKER, worker));
    }

    private static String option(Role role) {
        return "--" + role.label() + "-port";
    }
}
