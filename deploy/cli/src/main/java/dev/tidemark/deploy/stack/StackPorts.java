package dev.tidemark.deploy.stack;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where the three listen, all on the loopback address.
 *
 * @param broker for Kafka clients
 * @param controller for the broker's own controller, its only client
 * @param writer HTTP
 * @param worker HTTP
 */
public record StackPorts(int broker, int controller, int writer, int worker) {
    public static final int BROKER = 9092;
    public static final int WRITER = 8081;
    public static final int WORKER = 8082;

    /** Returns the ports that the command line assumes, whether they are free or not. */
    public static StackPorts standard() {
        return of(BROKER, WRITER, WORKER);
    }

    /** These three, and any free one for the controller. */
    public static StackPorts of(int broker, int writer, int worker) {
        return new StackPorts(broker, LoopbackPort.anyFree(Set.of(broker, writer, worker)), writer, worker);
    }

    /** Returns four ports that are free now. */
    public static StackPorts free() {
        Set<Integer> taken = new HashSet<>();
        int[] ports = new int[4];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = LoopbackPort.anyFree(taken);
            taken.add(ports[i]);
        }
        return new StackPorts(ports[0], ports[1], ports[2], ports[3]);
    }

    /** Whether all of them could be used now. */
    public boolean areFree() {
        return byRole().values().stream().allMatch(LoopbackPort::isFree);
    }

    /**
     * Makes sure that all of them could be used now.
     *
     * @throws StackException that names every one which is in use, whom it was for, and the option that changes it
     */
    public void requireFree() throws StackException {
        Map<Role, Integer> asked = byRole();
        for (Map.Entry<Role, Integer> entry : asked.entrySet()) {
            LoopbackPort.requireFree(
                    entry.getValue(),
                    entry.getKey().label(),
                    "--" + entry.getKey().label() + "-port");
        }
        if (Set.copyOf(asked.values()).size() < asked.size()) {
            throw new StackException("expected three different ports, but got " + broker + " for the broker, " + writer
                    + " for the writer and " + worker + " for the worker");
        }
    }

    private Map<Role, Integer> byRole() {
        Map<Role, Integer> ports = new EnumMap<>(Role.class);
        ports.put(Role.BROKER, broker);
        ports.put(Role.WRITER, writer);
        ports.put(Role.WORKER, worker);
        return ports;
    }
}
