package dev.tidemark.architecture.sample.core;

import java.time.Instant;
import java.util.List;

import io.micrometer.core.instrument.Tag;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.jetty.http.HttpMethod;
import org.rocksdb.CompressionType;

import dev.tidemark.architecture.sample.http.Adapter;

/** Breaks every rule that logic can break; its package has no package-info on purpose. */
public final class Impure {
    private final List<Object> foreign =
            List.of(new TopicPartition("t", 0), CompressionType.LZ4_COMPRESSION, Tag.of("a", "b"), HttpMethod.GET);
    private final Adapter adapter = new Adapter(this);

    public Instant time() {
        return Instant.now().plusNanos(System.nanoTime());
    }

    public Thread thread() {
        return new Thread(() -> {}, "impure");
    }

    @Override
    public String toString() {
        return foreign + " " + adapter;
    }
}
