package dev.tidemark.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts wrong tokens by the address that showed them. Free for any thread; memory is bounded, the address that was
 * heard of least recently is forgotten first.
 */
public final class FailedAttempts {
    /**
     * Wrong tokens per address and window that are refused without a wait. The answer to a further one is to wait for
     * the end of the window.
     */
    public static final int MOST = 10;

    /** How long failures count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    private static final int MOST_ADDRESSES = 10_000;
    private static final int GROUPS_OF_A_SITE = 4;

    private final Clock clock;
    private final Map<String, Window> windows = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    private record Window(Instant end, int failures) {}

    public FailedAttempts(Clock clock) {
        this.clock = clock;
    }

    /** Counts a failure; how long the address is to wait where it had too many of them. */
    public synchronized Optional<Duration> failed(String address) {
        Instant now = clock.instant();
        String site = site(address);
        Window window = windows.get(site);
        if (window == null || !now.isBefore(window.end())) {
            window = new Window(now.plus(WINDOW), 0);
        }
        windows.put(site, new Window(window.end(), Math.min(MOST, window.failures()) + 1));
        return window.failures() < MOST ? Optional.empty() : Optional.of(Duration.between(now, window.end()));
    }

    /** Who has an IPv6 address has a network of them: they count as one. */
    private static String site(String address) {
        String[] groups = address.split(":", -1);
        return groups.length <= GROUPS_OF_A_SITE ? address : String.join(":", Arrays.copyOf(groups, GROUPS_OF_A_SITE));
    }
}
