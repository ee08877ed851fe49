package dev.tidemark.streams.kafka;

import java.util.concurrent.ExecutionException;

import org.apache.kafka.streams.KafkaStreams;

/**
 * Runs the application from nothing until it has processed what the topic held when it began, and prints how many
 * nanoseconds there were between the first record and the last.
 */
public final class StreamsPeerMain {
    private StreamsPeerMain() {}

    /** Arguments: brokers, topic, an empty directory, the processing guarantee, a name that was not used before. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        StreamsApp app = StreamsApp.of(arguments);
        ProcessingProgress progress = new ProcessingProgress();
        try (KafkaStreams streams = app.make(progress)) {
            streams.start();
            System.out.println(progress.await(app.ends()));
        }
    }
}
