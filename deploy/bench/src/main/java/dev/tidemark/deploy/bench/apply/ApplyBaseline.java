package dev.tidemark.deploy.bench.apply;

/** Those that Tidemark's apply is measured beside. */
public enum ApplyBaseline {
    STREAMS_EXACTLY_ONCE("Kafka Streams, exactly_once_v2"),
    STREAMS_AT_LEAST_ONCE("Kafka Streams, at_least_once"),
    PLAIN_LOOP("plain loop: poll, multiGet, one batch"),
    STORE_ALONE("RocksDB alone, from memory");

    private final String label;

    ApplyBaseline(String label) {
        this.label = label;
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }
}
