package dev.tidemark.streams.kafka;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Runs the application until its standard input ends. Prints a line as soon as all of the index can be read. With
 * {@code fill} it first waits until it has processed what the topic held when it began.
 */
public final class StreamsServerMain {
    private static final long STEP_MILLIS = 5;
    /** Positions are committed ten times a second. */
    private static final long COMMIT_MILLIS = 2_000;

    private StreamsServerMain() {}

    /**
     * Arguments: brokers, topic, directory, the processing guarantee, a name, {@code fill} or {@code serve},
     * partitions.
     */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException, IOException {
        StreamsApp app = StreamsApp.of(arguments);
        ProcessingProgress progress = new ProcessingProgress();
        KafkaStreams streams = app.make(progress);
        streams.start();
        if (arguments[5].equals("fill")) {
            progress.await(app.ends());
            Thread.sleep(COMMIT_MILLIS);
        }
        while (!isOpen(streams, Integer.parseInt(arguments[6]))) {
            Thread.sleep(STEP_MILLIS);
        }
        System.out.println("open");
        while (System.in.read() >= 0) {
            // The input is ignored; only its end matters.
        }
        streams.close();
    }

    private static boolean isOpen(KafkaStreams streams, int partitions) {
        int tasks = streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum();
        if (streams.state() != KafkaStreams.State.RUNNING || tasks < partitions) {
            return false;
        }
        ReadOnlyKeyValueStore<Bytes, byte[]> entries;
        try {
            entries = streams.store(
                    StoreQueryParameters.fromNameAndType(IndexProcessor.ENTRIES, QueryableStoreTypes.keyValueStore()));
        } catch (InvalidStateStoreException e) {
            return false;
        }
        try (KeyValueIterator<Bytes, byte[]> all = entries.all()) {
            return all.hasNext();
        }
    }
}
