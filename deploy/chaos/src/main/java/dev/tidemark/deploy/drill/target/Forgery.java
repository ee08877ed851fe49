package dev.tidemark.deploy.drill.target;

/** What a client with write access to the topics can forge. */
public enum Forgery {
    /** A row without a field that an index holds, in a version far above all that the writer has given. */
    NEWER_VERSION,
    /** A record whose body is another row's than its key says. */
    OTHER_BODY,
    /** A heartbeat of the year 2099. */
    FUTURE_HEARTBEAT,
    /** Version 900 of the definitions, without any index. */
    DEFINITIONS
}
