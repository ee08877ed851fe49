package dev.tidemark.deploy.bench;

/** Those that Tidemark's apply is measured beside. */
public enum ApplyBaseline {
    STREAMS_EXACTLY_ONCE("Kafka Streams, exactly_once_v2", "exactly_once_v2"),
    STREAMS_AT_LEAST_ONCE("Kafka Streams, at_least_once", "at_least_once"),
    PLAIN_LOOP("plain loop: poll, multiGet, one batch", ""),
    STORE_ALONE("RocksDB alone, from memory", "");

    private final String label;
    private final String guarantee;

    ApplyBaseline(String label, String guarantee) {
        this.label = label;
        this.guarantee = guarantee;
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }

    /** The processing guarantee of Kafka Streams; empty for a program of this project. */
    String guarantee() {
        return guarantee;
    }

    boolean isStreams() {
        return !guarantee.isEmpty();
    }
}
