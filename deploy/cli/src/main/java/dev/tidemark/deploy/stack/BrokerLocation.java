package dev.tidemark.deploy.stack;

import java.util.List;

/**
 * Where the broker of a stack runs and is reached.
 *
 * @param host its address, for those of this machine
 * @param prefix what its command line begins with; empty for nothing
 */
public record BrokerLocation(String host, List<String> prefix) {
    /** On the loopback address, as everybody else. */
    public static final BrokerLocation USUAL = new BrokerLocation("127.0.0.1", List.of());

    public BrokerLocation {
        prefix = List.copyOf(prefix);
    }
}
