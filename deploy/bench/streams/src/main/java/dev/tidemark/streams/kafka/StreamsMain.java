package dev.tidemark.streams.kafka;

import java.io.IOException;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;

import dev.tidemark.streams.http.EntryServer;

/**
 * Runs the application. With {@code follow} it ends when it has processed what the topic held when it began, and prints
 * how many nanoseconds there were between the first record and the last. Otherwise it runs until its standard input
 * ends, and prints a line as soon as all of the index can be read; with {@code fill} it first waits until it has
 * processed what the topic held. With {@code http} it does the same, answers over HTTP, and prints its port.
 */
public final class StreamsMain {
    private static final long STEP_MILLIS = 5;
    /** Positions are committed ten times a second. */
    private static final long COMMIT_MILLIS = 2_000;

    private StreamsMain() {}

    /**
     * Arguments: brokers, topic, directory, the processing guarantee, a name, {@code follow}, {@code fill},
     * {@code http} or {@code serve}, partitions. To follow, the directory is empty and the name was not used before.
     */
    public static void main(String[] arguments) throws Exception {
        StreamsApp app = new StreamsApp(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
        StreamsApp.ProcessingProgress progress = new StreamsApp.ProcessingProgress();
        try (KafkaStreams streams = app.make(progress)) {
            streams.start();
            if (arguments[5].equals("follow")) {
                System.out.println(progress.await(app.ends()));
                return;
            }
            if (arguments[5].equals("fill") || arguments[5].equals("http")) {
                progress.await(app.ends());
                Thread.sleep(COMMIT_MILLIS);
            }
            while (!isOpen(streams, Integer.parseInt(arguments[6]))) {
                Thread.sleep(STEP_MILLIS);
            }
            if (arguments[5].equals("http")) {
                try (EntryServer server =
                        new EntryServer(new TownEntries(streams, Integer.parseInt(arguments[6]))::first)) {
                    System.out.println(server.port());
                    awaitEndOfInput();
                }
            } else {
                System.out.println("open");
                awaitEndOfInput();
            }
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // The input is ignored; only its end matters.
        }
    }

    private static boolean isOpen(KafkaStreams streams, int partitions) {
        int tasks = streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum();
        if (streams.state() != KafkaStreams.State.RUNNING || tasks < partitions) {
            return false;
        }
        try (KeyValueIterator<Bytes, byte[]> all = streams.store(StoreQueryParameters.fromNameAndType(
                        IndexProcessor.ENTRIES, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()))
                .all()) {
            return all.hasNext();
        } catch (InvalidStateStoreException e) {
            return false;
        }
    }
}
