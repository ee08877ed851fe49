package dev.tidemark.access;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class FailedAttemptsTest {
    private final ManualClock clock = new ManualClock();
    private final FailedAttempts attempts = new FailedAttempts(clock);

    @Test
    void tellsAnAddressToWaitAfterTooManyFailures() {
        fail("10.0.0.1", FailedAttempts.MOST);
        clock.advance(Duration.ofSeconds(20));

        assertThat(attempts.failed("10.0.0.1")).contains(Duration.ofSeconds(40));
        assertThat(attempts.failed("10.0.0.2")).isEmpty();
    }

    @Test
    void forgetsFailuresAtTheEndOfTheWindow() {
        fail("10.0.0.1", 3 * FailedAttempts.MOST);
        clock.advance(FailedAttempts.WINDOW);

        assertThat(attempts.failed("10.0.0.1")).isEmpty();
    }

    @Test
    void takesTheNetworkOfAnIpv6AddressForOneAddress() {
        fail("2001:db8:1:2:0:0:0:1", FailedAttempts.MOST);

        assertThat(attempts.failed("2001:db8:1:2:ffff:0:0:9")).isPresent();
        assertThat(attempts.failed("2001:db8:1:3:0:0:0:1")).isEmpty();
    }

    @Test
    void remembersTheNewestAddressesOnly() {
        fail("10.0.0.1", FailedAttempts.MOST);
        for (int i = 0; i < 10_000; i++) {
            attempts.failed("host-" + i);
        }

        assertThat(attempts.failed("10.0.0.1")).isEmpty();
    }

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            attempts.failed(address);
        }
    }
}
