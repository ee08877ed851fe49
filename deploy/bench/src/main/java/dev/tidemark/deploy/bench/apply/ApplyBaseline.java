package dev.tidemark.deploy.bench.apply;

/** Those that Tidemark's apply is measured beside, and how much faster it is to be. */
public enum ApplyBaseline {
    STREAMS_EXACTLY_ONCE("Kafka Streams, exactly_once_v2", 3),
    STREAMS_AT_LEAST_ONCE("Kafka Streams, at_least_once", 1.6),
    PLAIN_LOOP("plain loop: poll, multiGet, one batch", 1.3),
    STORE_ALONE("RocksDB alone, from memory", 0.9);

    private final String label;
    private final double target;

    ApplyBaseline(String label, double target) {
        this.label = label;
        this.target = target;
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }

    /** Tidemark's changes a second are to be at least so many times its. */
    public double target() {
        return target;
    }
}
