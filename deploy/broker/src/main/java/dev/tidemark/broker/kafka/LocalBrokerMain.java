package dev.tidemark.broker.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * A KRaft broker and its controller in one process: {@code java -jar local-broker.jar server.properties}. Formats its
 * directory where that has not been done. Ends when standard input does if {@code TIDEMARK_END_WITH_PARENT} is {@code
 * stdin}, so that it never outlives its parent.
 */
public final class LocalBrokerMain {
    private static final String LOG_DIRS = "log.dirs";
    private static final long PATIENCE_MILLIS = 5_000;

    private LocalBrokerMain() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("expected one argument: the server.properties of the broker");
            System.exit(2);
        }
        if ("stdin".equals(System.getenv("TIDEMARK_END_WITH_PARENT"))) {
            daemon("parent-watch", LocalBrokerMain::exitAtEndOfInput);
        }
        if (formatIfNew(args[0])) {
            Kafka.main(args);
        } else {
            System.exit(1);
        }
    }

    /** A crash in the middle of formatting leaves no {@code meta.properties}, so the next start formats again. */
    private static boolean formatIfNew(String config) throws IOException {
        Properties settings = new Properties();
        // By bytes, as Kafka reads it.
        try (InputStream in = Files.newInputStream(Path.of(config))) {
            settings.load(in);
        }
        Path marker = Path.of(settings.getProperty(LOG_DIRS), "meta.properties");
        if (Files.exists(marker)) {
            return true;
        }
        String clusterId = Uuid.randomUuid().toString();
        String[] format = {"format", "--cluster-id", clusterId, "--config", config, "--ignore-formatted"};
        return StorageTool.execute(format, System.out) == 0;
    }

    private static void exitAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // The input is ignored; only its end matters.
            }
        } catch (IOException e) {
            System.err.println("Standard input failed, which means that the parent is gone: " + e);
        }
        daemon("shutdown-deadline", LocalBrokerMain::haltAfterPatience);
        System.exit(0);
    }

    private static void haltAfterPatience() {
        try {
            Thread.sleep(PATIENCE_MILLIS);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
