package dev.tidemark.worker.testkit;

/** What a source of changes throws whose brokers do not answer. */
final class BrokersAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokersAwayException() {
        super("the brokers are away");
    }
}
