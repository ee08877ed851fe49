package dev.tidemark.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Ends the process at one point of some: the one that it first reaches as often as was asked for. */
public final class FirstFailpoint implements Failpoints {
    private final Map<String, AtomicLong> left = new HashMap<>();
    private final AtomicBoolean reached = new AtomicBoolean();
    private final Consumer<String> end;

    /**
     * Some points.
     *
     * @param text {@code NAME:COUNT}, or more of them with commas between
     * @param end ends the process, given the name of the point; called once
     * @throws IllegalArgumentException when the text is not like that, or a count is not positive
     */
    public FirstFailpoint(String text, Consumer<String> end) {
        for (String one : text.split(",", -1)) {
            int colon = one.lastIndexOf(':');
            String count = one.substring(colon + 1);
            if (colon < 1 || !count.matches("[1-9]\\d{0,8}")) {
                throw new IllegalArgumentException(
                        "Expected " + PROPERTY + "=NAME:COUNT,... with positive counts, but got " + text);
            }
            left.put(one.substring(0, colon), new AtomicLong(Long.parseLong(count)));
        }
        this.end = end;
    }

    /** The points that {@link Failpoints#PROPERTY} names; empty, as usual, when it names none. */
    public static Optional<Failpoints> ofProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(text -> new FirstFailpoint(text, FirstFailpoint::halt));
    }

    @Override
    public void reach(String point) {
        AtomicLong count = left.get(point);
        if (count != null && count.decrementAndGet() == 0 && reached.compareAndSet(false, true)) {
            end.accept(point);
        }
    }

    private static void halt(String point) {
        System.err.println(LAST_WORDS + point);
        System.err.flush();
        // Like SIGKILL: nothing is closed, no shutdown hook runs.
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
