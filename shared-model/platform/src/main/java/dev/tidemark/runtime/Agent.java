package dev.tidemark.runtime;

/**
 * Work that one thread does, step by step. In production an {@link AgentRunner} calls it in a loop, in a simulation the
 * test calls it; the idea and the names are Agrona's.
 */
public interface Agent {

    /** Name of the role and so of the thread. */
    String roleName();

    /**
     * One step of bounded length.
     *
     * @return how much was done, 0 when there was nothing to do
     * @throws InterruptedException when the thread is asked to stop while it waits
     */
    int doWork() throws InterruptedException;

    /** One thing that a thread does. */
    @FunctionalInterface
    interface Step {
        void run() throws InterruptedException;
    }

    /** An agent that does one thing again and again, and lets its thread rest in between. */
    static Agent resting(String roleName, Step thing) {
        return new Agent() {
            @Override
            public String roleName() {
                return roleName;
            }

            @Override
            public int doWork() throws InterruptedException {
                thing.run();
                return 0;
            }
        };
    }

    /** Called once, by the same thread, after the last step. */
    default void onClose() {}
}
