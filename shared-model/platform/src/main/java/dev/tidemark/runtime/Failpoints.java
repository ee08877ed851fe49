package dev.tidemark.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Named places in the code at which a test can stop the process as a kill would. The test shows that no result depends
 * on the process going on. The process ends at one failpoint: the first that it reaches as often as {@link #PROPERTY}
 * states. Production does not set the property, and every failpoint is then off for good.
 */
public final class Failpoints {
    /**
     * System property {@code NAME:COUNT,NAME:COUNT,...}: the process ends when it first reaches a failpoint of such a
     * name for the COUNT-th time. None where it is absent.
     */
    public static final String PROPERTY = "tidemark.failpoint";

    /** The exit code of a process that a failpoint ended: that of SIGKILL. */
    public static final int EXIT_CODE = 137;

    /** What such a process prints as its last line, before the name of the failpoint. */
    public static final String LAST_WORDS = "failpoint reached: ";

    private static final Optional<Failpoints> OF_PROCESS =
            Optional.ofNullable(System.getProperty(PROPERTY)).map(text -> new Failpoints(text, Failpoints::halt));

    private final Map<String, AtomicLong> left = new HashMap<>();
    private final AtomicBoolean reached = new AtomicBoolean();
    private final Consumer<String> end;

    /**
     * Some failpoints.
     *
     * @param text {@code NAME:COUNT}, or more of them with commas between
     * @param end ends the process, given the name of the failpoint; called once
     * @throws IllegalArgumentException when the text is not like that, or a count is not positive
     */
    public Failpoints(String text, Consumer<String> end) {
        for (String one : text.split(",", -1)) {
            int colon = one.lastIndexOf(':');
            String count = one.substring(colon + 1);
            if (colon < 1 || !count.matches("[1-9]\\d{0,8}")) {
                throw new IllegalArgumentException(
                        "expected " + PROPERTY + "=NAME:COUNT,... with positive counts, but got " + text);
            }
            left.put(one.substring(0, colon), new AtomicLong(Long.parseLong(count)));
        }
        this.end = end;
    }

    /** Whether this process was started with failpoints. */
    public static boolean areOn() {
        return OF_PROCESS.isPresent();
    }

    /** This process is at that failpoint. May not return. Any thread may call it. */
    public static void hit(String name) {
        if (areOn()) {
            OF_PROCESS.get().reach(name);
        }
    }

    /** The process is at that failpoint. */
    public void reach(String name) {
        AtomicLong count = left.get(name);
        if (count != null && count.decrementAndGet() == 0 && reached.compareAndSet(false, true)) {
            end.accept(name);
        }
    }

    private static void halt(String name) {
        System.err.println(LAST_WORDS + name);
        System.err.flush();
        // Like SIGKILL: nothing is closed, no shutdown hook runs.
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
