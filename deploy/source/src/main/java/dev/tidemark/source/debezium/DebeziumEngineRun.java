package dev.tidemark.source.debezium;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.source.feed.Engine;
import dev.tidemark.source.feed.SourceEvent;

/** Debezium's embedded engine. */
public final class DebeziumEngineRun implements Engine {
    private static final Logger LOGGER = LoggerFactory.getLogger(DebeziumEngineRun.class);

    private final Dialect dialect;
    private final AtomicReference<@Nullable DebeziumEngine<?>> running = new AtomicReference<>();

    public DebeziumEngineRun(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Whether the connector for MariaDB, which users add, is there. */
    public static boolean hasMariaDb() {
        return DebeziumEngineRun.class
                        .getClassLoader()
                        .getResource("io/debezium/connector/mariadb/MariaDbConnector.class")
                != null;
    }

    /** How a run ended. */
    private static final class Outcome {
        private volatile String message = "the engine has ended";
        private volatile @Nullable Throwable cause;
    }

    @Override
    public void run(Plan plan, Sink sink) throws EngineException, InterruptedException {
        Outcome outcome = new Outcome();
        RecordReader reader = new RecordReader(dialect, plan.columns());
        DebeziumEngine<RecordChangeEvent<SourceRecord>> engine = DebeziumEngine.create(
                        ChangeEventFormat.of(Connect.class))
                .using(dialect.forRun(plan))
                .using(new OffsetCommitPolicy.AlwaysCommitOffsetPolicy())
                .using((success, message, error) -> {
                    if (!success) {
                        outcome.message = message;
                        outcome.cause = error;
                    }
                })
                .notifying((events, committer) -> hand(events, committer, reader, sink))
                .build();
        running.set(engine);
        try {
            engine.run();
        } finally {
            running.set(null);
        }
        Throwable cause = outcome.cause;
        if (cause != null) {
            throw new EngineException(first(cause, outcome.message), cause);
        }
    }

    /** The innermost reason is what the database or the sink said. */
    private static String first(Throwable error, String message) {
        String reason = message;
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String said = cause instanceof Error ? cause.toString() : cause.getMessage();
            reason = said == null ? reason : said;
        }
        return reason;
    }

    private void hand(
            List<RecordChangeEvent<SourceRecord>> records,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
            RecordReader reader,
            Sink sink)
            throws InterruptedException {
        // One at a time, since a batch of large rows takes much of the heap.
        Iterable<SourceEvent> events = () -> records.stream()
                .flatMap(record -> reader.read(record.record()).stream())
                .iterator();
        try {
            sink.take(events);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new SinkException(e);
        }
        // The offset of the last one is that of all: the slot may forget what is before its transaction.
        committer.markProcessed(records.get(records.size() - 1));
        committer.markBatchFinished();
    }

    /** The sink failed. */
    private static final class SinkException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SinkException(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    @Override
    public void stop() {
        DebeziumEngine<?> engine = running.get();
        if (engine != null) {
            try {
                engine.close();
            } catch (IOException | IllegalStateException e) {
                // It ends by itself at this moment.
                LOGGER.debug("The engine could not be closed", e);
            }
        }
    }
}
