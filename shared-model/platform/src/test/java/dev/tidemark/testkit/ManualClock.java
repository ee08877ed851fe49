package dev.tidemark.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until a test moves it. Free for use by any thread. */
public final class ManualClock extends Clock {
    /** Where a new clock stands: an instant that is none of the special ones. */
    public static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

    private final Hand hand;
    private final ZoneId zone;

    public ManualClock() {
        this(START);
    }

    public ManualClock(Instant start) {
        this(new Hand(start), ZoneOffset.UTC);
    }

    private ManualClock(Hand hand, ZoneId zone) {
        this.hand = hand;
        this.zone = zone;
    }

    /** Moves on by the given time, or back when it is negative. */
    public Instant advance(Duration by) {
        return hand.advance(by);
    }

    public void set(Instant instant) {
        hand.set(instant);
    }

    @Override
    public Instant instant() {
        return hand.get();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock, read in another zone. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(hand, other);
    }

    /** Where the clock and its views stand. */
    private static final class Hand {
        private Instant now;

        Hand(Instant start) {
            this.now = start;
        }

        synchronized Instant get() {
            return now;
        }

        synchronized void set(Instant instant) {
            now = instant;
        }

        synchronized Instant advance(Duration by) {
            now = now.plus(by);
            return now;
        }
    }
}
