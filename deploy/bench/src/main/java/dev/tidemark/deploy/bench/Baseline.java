package dev.tidemark.deploy.bench;

/** The bare loops that Tidemark is measured beside; both acknowledge by all replicas, idempotent, lz4. */
public enum Baseline {
    /** With the settings of Tidemark's own producer, which sends at once. */
    LIKE_TIDEMARK("bareLoop", "bare loop, linger.ms=0 as Tidemark", 0),
    /** With the default linger time of a producer of Kafka 4. */
    LIKE_KAFKA("bareLoopDefaultLinger", "bare loop, linger.ms=5 as Kafka's default", 5);

    private final String key;
    private final String label;
    private final int lingerMillis;

    Baseline(String key, String label, int lingerMillis) {
        this.key = key;
        this.label = label;
        this.lingerMillis = lingerMillis;
    }

    /** Its name in JSON. */
    public String key() {
        return key;
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }

    /** How long its producer waits for company of a record. */
    public int lingerMillis() {
        return lingerMillis;
    }
}
