package dev.tidemark.runtime;

/**
 * Named moments at which a process can be made to end as if it was killed, to see that nothing depends on going on. In
 * production nobody asks for it, and whoever wires a process then leaves the points out.
 */
public interface Failpoints {
    /**
     * System property {@code NAME:COUNT,NAME:COUNT,...}: the process ends when it first reaches a point of such a name for the
     * COUNT-th time. None where it is absent.
     */
    String PROPERTY = "tidemark.failpoint";

    /** The exit code of a process that was ended by a point: that of SIGKILL. */
    int EXIT_CODE = 137;

    /** What such a process prints as its last line, before the name of the point. */
    String LAST_WORDS = "failpoint reached: ";

    /** The process is at that point. May not return. Any thread may call it. */
    void reach(String point);
}
