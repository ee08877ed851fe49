package dev.tidemark.deploy.drill.machine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A separate network namespace for one process, with a few wires to it. A wire that is cut loses every packet from
 * inside, so its other end receives nothing more, not even that the connection is gone.
 */
public final class Namespace implements AutoCloseable {
    private static final int FIRST_NETWORK = 64;
    private static final int NETWORKS = 128;

    private final String name;
    private final String network;
    private final Set<Integer> cut = new HashSet<>();

    private Namespace(String name, String network) {
        this.name = name;
        this.network = network;
    }

    /**
     * Makes one.
     *
     * @param number distinguishes it from others on this machine, as a process id does
     * @param wires how many, at least 1
     * @throws MachineException when this machine does not allow it, which mostly means that root is needed
     */
    public static Namespace with(long number, int wires) throws MachineException, InterruptedException {
        Namespace made = new Namespace("tidemark-" + number, "10." + (FIRST_NETWORK + number % NETWORKS) + ".");
        Commands.run("ip", "netns", "add", made.name);
        try {
            made.connect("tm" + number % 1_000_000, wires);
            return made;
        } catch (MachineException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void connect(String device, int wires) throws MachineException, InterruptedException {
        String outside = device + "o";
        String inside = device + "i";
        Commands.run("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name);
        for (int wire = 0; wire < wires; wire++) {
            Commands.run("ip", "address", "add", end(wire, 1) + "/24", "dev", outside);
            Commands.run(within("ip", "address", "add", address(wire) + "/24", "dev", inside));
        }
        Commands.run("ip", "link", "set", outside, "up");
        Commands.run(within("ip", "link", "set", inside, "up"));
        Commands.run(within("ip", "link", "set", "lo", "up"));
    }

    /**
     * What a command line has to begin with, so that its process is inside. {@code ip netns exec} would give the
     * process copies of all mounts as well, and a disk that is unmounted outside would stay mounted there.
     */
    public List<String> prefix() {
        return List.of("nsenter", "--net=/run/netns/" + name);
    }

    /** The address inside of a wire, for those outside. */
    public String address(int wire) {
        return end(wire, 2);
    }

    private String end(int wire, int host) {
        return network + wire + "." + host;
    }

    /** From now on nothing that is sent inside comes out by this wire. */
    public void cut(int wire) {
        Commands.mustRun(within("ip", "route", "add", "blackhole", end(wire, 1) + "/32"));
        cut.add(wire);
    }

    /** Everything comes through again. */
    public void mend() {
        cut.forEach(wire -> Commands.mustRun(within("ip", "route", "del", "blackhole", end(wire, 1) + "/32")));
        cut.clear();
    }

    private String[] within(String... command) {
        return Stream.concat(prefix().stream(), Stream.of(command)).toArray(String[]::new);
    }

    /** Removes it; its wires go with it. */
    @Override
    public void close() {
        Commands.mustRun("ip", "netns", "delete", name);
    }
}
