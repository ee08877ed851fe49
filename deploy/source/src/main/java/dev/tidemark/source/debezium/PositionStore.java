package dev.tidemark.source.debezium;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;

/**
 * Gives the engine the position that the writer keeps, and keeps nothing itself. The offset has an LSN alone: with
 * more in it the connector would look for an event to begin after, and leave out what else has the LSN of that
 * event.
 */
public final class PositionStore extends MemoryOffsetBackingStore {
    /** Setting with the LSN; absent for none. */
    static final String BASE = "offset.storage.base";

    static final String NAME = "name";

    @Override
    public void configure(WorkerConfig config) {
        super.configure(config);
        Map<String, String> values = config.originalsStrings();
        String base = values.get(BASE);
        if (base != null) {
            String key = "[\"" + values.get(NAME) + "\",{\"server\":\"" + EngineSettings.PREFIX + "\"}]";
            data.put(bytes(key), bytes("{\"lsn\":" + base + "}"));
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
