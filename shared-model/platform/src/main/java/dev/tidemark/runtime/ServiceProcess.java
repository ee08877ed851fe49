package dev.tidemark.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a service as a process, and notifies systemd of it, until SIGTERM, SIGINT or, where requested, the end of its
 * parent. It then closes the service and exits 0, or 1 when closing fails or takes too long. A process that gives up
 * ends at once, and its supervisor starts it again.
 */
public final class ServiceProcess {
    /** Environment variable that says: end when standard input ends, because the parent has. */
    public static final String END_WITH_PARENT = "TIDEMARK_END_WITH_PARENT";

    /** The exit code of a process that cannot run with its settings or its data until an operator changes them. */
    public static final int BAD_INPUT = 2;

    /** The exit code of a process that gave up: the error of input or output of {@code sysexits.h}. */
    public static final int GAVE_UP = 74;

    /**
     * The exit code of a process whose work another one has taken over: the temporary failure of {@code sysexits.h}.
     */
    public static final int REPLACED = 75;

    private static final Logger LOGGER = LoggerFactory.getLogger(ServiceProcess.class);
    private static final Duration PATIENCE = Duration.ofSeconds(9);

    private ServiceProcess() {}

    /** Blocks until the process is asked to end. The service is closed on the way out. */
    public static void runUntilStopped(AutoCloseable service) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndHalt(service), "shutdown"));
        if ("stdin".equals(System.getenv(END_WITH_PARENT))) {
            Thread watch = new Thread(ServiceProcess::exitAtEndOfInput, "parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        ManagerNotices notices = new ManagerNotices(System.getenv(), "systemd-notify");
        try {
            notices.started();
            while (!stopped.await(notices.interval().toNanos(), TimeUnit.NANOSECONDS)) {
                notices.running();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process at once. As after a kill nothing is closed, because nothing more may be written. */
    public static void giveUp(int exitCode, String reason) {
        LOGGER.error("Ending with exit code {}, to be started again: {}", exitCode, reason);
        Runtime.getRuntime().halt(exitCode);
    }

    /** The same for a process that no other start helps. */
    public static void refuse(String reason) {
        LOGGER.error("Ending with exit code {}: {}", BAD_INPUT, reason);
        Runtime.getRuntime().halt(BAD_INPUT);
    }

    private static void closeAndHalt(AutoCloseable service) {
        Thread deadline = new Thread(ServiceProcess::haltAfterPatience, "shutdown-deadline");
        deadline.setDaemon(true);
        deadline.start();
        try {
            LOGGER.info("Stopping");
            service.close();
            LOGGER.info("Stopped");
            Runtime.getRuntime().halt(0);
        } catch (Exception e) {
            LOGGER.error("Stopped with a failure", e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void haltAfterPatience() {
        try {
            Thread.sleep(PATIENCE.toMillis());
            LOGGER.error("Not stopped within {} s, ending anyway", PATIENCE.toSeconds());
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void exitAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Input from the parent is ignored.
            }
        } catch (IOException e) {
            LOGGER.debug("Standard input failed, which means that the parent is gone", e);
        }
        System.exit(0);
    }
}
