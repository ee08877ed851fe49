package dev.tidemark.http;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is to be done after some time, on one thread. */
final class CallTimerTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LATER = Duration.ofMillis(200);
    private static final long PATIENCE_SECONDS = 20;

    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("test-timer", true);
    private final CallTimer timer = new CallTimer(scheduler);
    private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        scheduler.start();
    }

    @AfterEach
    void stop() throws Exception {
        scheduler.stop();
    }

    @Test
    void runsTheEarlierTaskFirstThoughItCameLast() throws InterruptedException {
        Runnable unused = timer.after(LATER, () -> done.add("later"));
        unused = timer.after(SOON, () -> done.add("soon"));
        unused = timer.after(Duration.ZERO, () -> done.add("now"));
        assertThat(next()).isEqualTo("now");
        assertThat(next()).isEqualTo("soon");
        assertThat(next()).isEqualTo("later");
    }

    @Test
    void doesNotRunWhatWasCancelled() throws InterruptedException {
        Runnable cancel = timer.after(SOON, () -> done.add("cancelled"));
        Runnable unused = timer.after(LATER, () -> done.add("later"));
        cancel.run();
        assertThat(next()).isEqualTo("later");
    }

    @Test
    void goesOnAfterATaskThatFails() throws InterruptedException {
        Runnable unused = timer.after(SOON, () -> {
            throw new IllegalStateException("broken on purpose");
        });
        unused = timer.after(SOON, () -> done.add("next"));
        assertThat(next()).isEqualTo("next");
        unused = timer.after(SOON, () -> done.add("after it"));
        assertThat(next()).isEqualTo("after it");
    }

    @Test
    void runsATaskThatATaskAdds() throws InterruptedException {
        Runnable unused = timer.after(SOON, this::addAnother);
        assertThat(next()).isEqualTo("again");
    }

    private void addAnother() {
        Runnable unused = timer.after(SOON, () -> done.add("again"));
    }

    private String next() throws InterruptedException {
        return String.valueOf(done.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
}
