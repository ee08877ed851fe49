package dev.tidemark.memory;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;

/** The setting that bounds the heap for work whose size others decide. */
public final class MemorySettings {
    private static final String BUDGET = "memory.budget.bytes";
    private static final long HALF_OF_HEAP = 0;
    private static final long LEAST = 32L << 20;

    private MemorySettings() {}

    /** Defines the setting. */
    public static void define(ConfigDef definition) {
        definition.define(
                BUDGET,
                ConfigDef.Type.LONG,
                HALF_OF_HEAP,
                ConfigDef.LambdaValidator.with(
                        (name, value) -> {
                            if ((long) value != HALF_OF_HEAP && (long) value < LEAST) {
                                throw new ConfigException(name, value, "expected 0 or at least " + LEAST);
                            }
                        },
                        () -> "0 or [" + LEAST + ",...]"),
                Importance.MEDIUM,
                "Most bytes of heap for requests, answers, records, builds and row caches together; 0 for half of the"
                        + " heap. Row caches get at most about half of it. Work for which nothing is left is refused"
                        + " with 503, or waits.");
    }

    /** Bytes of the budget that the given values ask for. */
    public static long bytes(AbstractConfig values) {
        long bytes = values.getLong(BUDGET);
        return bytes == HALF_OF_HEAP ? Runtime.getRuntime().maxMemory() / 2 : bytes;
    }
}
