package io.debezium.connector.base;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

import io.debezium.pipeline.Sizeable;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a class of Debezium's engine 3.6.1.Final in tests. It also has the constructor that 3.5.0.Final
 * of the connector for MariaDB calls; all else that this connector needs of the engine is there.
 */
@NullMarked
public final class DefaultQueueProvider<T extends Sizeable> implements QueueProvider<T> {
    private final Queue<T> queue = new ArrayDeque<>();

    /** As the engine creates it. */
    public DefaultQueueProvider() {}

    /** As that connector creates it; a queue grows by itself. */
    public DefaultQueueProvider(int size) {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public void enqueue(T event) {
        queue.add(event);
    }

    @Override
    public @Nullable T poll() {
        return queue.poll();
    }

    @Override
    public int size() {
        return queue.size();
    }
}
