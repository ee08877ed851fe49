package dev.tidemark.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies systemd, where it has started this process and asked for that, that the service has started and that its
 * process runs: the protocol of {@code sd_notify(3)}. A program of systemd sends the notices, because Java has no
 * sockets of that kind. For one thread.
 */
final class ManagerNotices {
    private static final Logger LOGGER = LoggerFactory.getLogger(ManagerNotices.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** No notice is due within this time. */
    private static final Duration NO_WATCHDOG = Duration.ofDays(1);

    private final String program;
    private final boolean wanted;
    private final Duration interval;
    private boolean failed;

    /**
     * Notices as the environment asks for them.
     *
     * @param program sends them: {@code systemd-notify}
     */
    ManagerNotices(Map<String, String> environment, String program) {
        this.program = program;
        this.wanted = environment.containsKey("NOTIFY_SOCKET");
        // Half of the time after which a silent process is ended, as the protocol recommends.
        this.interval = Optional.ofNullable(environment.get("WATCHDOG_USEC"))
                .filter(micros -> wanted && micros.matches("[1-9]\\d{0,17}"))
                .map(micros -> Duration.of(Long.parseLong(micros) / 2, TimeUnit.MICROSECONDS.toChronoUnit()))
                .orElse(NO_WATCHDOG);
    }

    /** The service has started. */
    void started() throws InterruptedException {
        send("READY=1");
    }

    /** The process runs. */
    void running() throws InterruptedException {
        send("WATCHDOG=1");
    }

    /** How often to say that it runs. */
    Duration interval() {
        return interval;
    }

    private void send(String notice) throws InterruptedException {
        if (!wanted) {
            return;
        }
        try {
            Process sender = new ProcessBuilder(program, notice)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (sender.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) && sender.exitValue() == 0) {
                failed = false;
                return;
            }
            sender.destroyForcibly();
            complain("it did not succeed");
        } catch (IOException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String why) {
        if (!failed) {
            LOGGER.warn("systemd cannot be told how this service is, by {}: {}", program, why);
        }
        failed = true;
    }
}
