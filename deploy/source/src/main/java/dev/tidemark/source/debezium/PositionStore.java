package dev.tidemark.source.debezium;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;

/**
 * Gives the engine the position that the writer keeps, and keeps nothing itself. The offset has the beginning of a
 * transaction alone: with more in it a connector would look for an event to begin after, and that of PostgreSQL
 * would leave out what else has the LSN of that event.
 */
public final class PositionStore extends MemoryOffsetBackingStore {
    /** Setting with the offset as JSON; absent for none. */
    static final String OFFSET = "offset.storage.offset";

    static final String NAME = "name";

    @Override
    public void configure(WorkerConfig config) {
        super.configure(config);
        Map<String, String> values = config.originalsStrings();
        String offset = values.get(OFFSET);
        if (offset != null) {
            String key = "[\"" + values.get(NAME) + "\",{\"server\":\"" + EngineSettings.PREFIX + "\"}]";
            data.put(bytes(key), bytes(offset));
        }
    }

    @Override
    public Set<Map<String, Object>> connectorPartitions(String connector) {
        return Set.of();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
