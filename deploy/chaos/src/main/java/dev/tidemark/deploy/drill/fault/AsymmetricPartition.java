package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.List;

import dev.tidemark.deploy.drill.machine.Namespace;
import dev.tidemark.deploy.stack.Role;

/** Nothing that the broker sends to one service arrives there; the other one is answered. */
final class AsymmetricPartition implements Fault {
    private final Namespace broker;
    private final List<Role> wires;
    private int cut;

    /**
     * Over the wires of a namespace.
     *
     * @param broker where the broker is
     * @param wires whom each wire leads to, by its number
     */
    AsymmetricPartition(Namespace broker, List<Role> wires) {
        this.broker = broker;
        this.wires = List.copyOf(wires);
    }

    @Override
    public boolean begin(Role role, Instant now) {
        cut = wires.indexOf(role);
        broker.cut(cut);
        return true;
    }

    @Override
    public boolean end() {
        broker.mend(cut);
        return true;
    }
}
