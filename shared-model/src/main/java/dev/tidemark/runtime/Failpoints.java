package dev.tidemark.runtime;

/**
 * Named places in the code at which a test can stop the process as a kill would. The test shows that no result depends
 * on the process going on. Production does not set {@link #PROPERTY}, and the wiring of a process then leaves the
 * failpoints out.
 */
public interface Failpoints {
    /**
     * System property {@code NAME:COUNT,NAME:COUNT,...}: the process ends when it first reaches a point of such a name
     * for the COUNT-th time. None where it is absent.
     */
    String PROPERTY = "tidemark.failpoint";

    /** The exit code of a process that was ended by a point: that of SIGKILL. */
    int EXIT_CODE = 137;

    /** What such a process prints as its last line, before the name of the point. */
    String LAST_WORDS = "failpoint reached: ";

    /** The process is at that point. May not return. Any thread may call it. */
    void reach(String point);
}
