package dev.tidemark.runtime;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Ends the process at one point. */
public final class OneKillPoint implements KillPoints {
    private final String name;
    private final AtomicLong left;
    private final Consumer<String> end;

    /**
     * A point.
     *
     * @param text {@code NAME:COUNT}
     * @param end ends the process, given the name of the point
     * @throws IllegalArgumentException when the text is not like that, or the count is not positive
     */
    public OneKillPoint(String text, Consumer<String> end) {
        int colon = text.lastIndexOf(':');
        String count = text.substring(colon + 1);
        if (colon < 1 || !count.matches("[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException(
                    "Expected " + PROPERTY + "=NAME:COUNT with a positive count, but got " + text);
        }
        this.name = text.substring(0, colon);
        this.left = new AtomicLong(Long.parseLong(count));
        this.end = end;
    }

    /** The point that {@link KillPoints#PROPERTY} names; empty, as usual, when it names none. */
    public static Optional<KillPoints> ofProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(text -> new OneKillPoint(text, OneKillPoint::halt));
    }

    @Override
    public void reach(String point) {
        if (point.equals(name) && left.decrementAndGet() == 0) {
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
