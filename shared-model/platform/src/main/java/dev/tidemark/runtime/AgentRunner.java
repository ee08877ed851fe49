package dev.tidemark.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one agent on one thread named after its role, until it is closed or the agent fails. */
public final class AgentRunner implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(AgentRunner.class);

    private final Agent agent;
    private final Duration idle;
    private final WakeupSignal wakeUp;
    private final Thread thread;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    private AgentRunner(Agent agent, Duration idle, WakeupSignal wakeUp) {
        this.agent = agent;
        this.idle = idle;
        this.wakeUp = wakeUp;
        this.thread = new Thread(this::run, agent.roleName());
    }

    /**
     * Starts the agent's thread.
     *
     * @param idle how long the thread rests after a step that found nothing to do; zero when the agent itself waits for
     *     work
     */
    public static AgentRunner start(Agent agent, Duration idle) {
        return start(agent, idle, new WakeupSignal());
    }

    /**
     * The same for an agent whose rest others may end.
     *
     * @param wakeUp rung by them; for this runner alone
     */
    public static AgentRunner start(Agent agent, Duration idle, WakeupSignal wakeUp) {
        AgentRunner runner = new AgentRunner(agent, idle, wakeUp);
        runner.thread.start();
        return runner;
    }

    public String roleName() {
        return agent.roleName();
    }

    /** Why the agent stopped by itself; empty while it runs, and after an orderly close. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** The same for people, with the name of the thread. */
    public Optional<String> stopped() {
        return failure().map(failure -> "thread " + roleName() + " stopped: " + failure);
    }

    /** Why the first of some threads stopped by itself that did; empty while all of them run. */
    public static Optional<String> stopped(List<AgentRunner> runners) {
        return runners.stream().flatMap(runner -> runner.stopped().stream()).findFirst();
    }

    /** Lets the step under way end, then stops. Waits for at most the given time. */
    public boolean close(Duration patience) {
        closing = true;
        try {
            thread.join(patience.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(patience.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }

    private void run() {
        try {
            while (!closing) {
                if (agent.doWork() == 0 && !idle.isZero()) {
                    wakeUp.rest(idle);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
            LOGGER.error("Agent {} failed and stays stopped", agent.roleName(), e);
        } finally {
            agent.onClose();
        }
    }
}
