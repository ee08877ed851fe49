package dev.tidemark.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a service has opened, to be closed in the opposite order. A part that cannot be closed does not keep the rest
 * open. For the thread that starts the service and the one that stops it; {@link #failures()} is for any.
 */
public final class CloseableStack implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(CloseableStack.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Supplier<List<String>> failuresAround;
    private volatile List<AgentRunner> agents = List.of();

    public CloseableStack() {
        this.failuresAround = List::of;
    }

    /**
     * A part of another stack, to be added to it.
     *
     * @param around without whose threads this part is of no use either
     */
    public CloseableStack(CloseableStack around) {
        this.failuresAround = around::failures;
    }

    /** Adds a part, to be closed before those added earlier. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /**
     * Adds the thread of an agent.
     *
     * @param patience how long closing waits for it
     */
    public AgentRunner add(AgentRunner runner, Duration patience) {
        List<AgentRunner> more = new ArrayList<>(agents);
        more.add(runner);
        agents = List.copyOf(more);
        parts.push(() -> runner.close(patience));
        return runner;
    }

    /** Why threads have stopped that should not have, here and in the stack around; empty while all run. */
    public List<String> failures() {
        return Stream.concat(
                        failuresAround.get().stream(), agents.stream().flatMap(runner -> runner.stopped().stream()))
                .toList();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOGGER.error("A part of the service could not be closed", e);
            }
        }
    }
}
