package dev.tidemark.writer.rocks;

import java.nio.charset.StandardCharsets;

/** Keys of {@link WriterDatabase#meta}. */
final class MetaKeys {
    /** Format of the whole database ⇒ a whole number. */
    static final byte[] FORMAT = key("format");

    /** Epoch, sequence and time of the last commit. */
    static final byte[] LAST_COMMIT = key("commit.last");

    /** Time up to which nothing more may be committed. */
    static final byte[] PROMISE = key("commit.promise");

    /** Sequence up to which everything has been acknowledged. */
    static final byte[] PUBLISHED = key("outbox.published");

    /** Sequence up to which the outbox has been trimmed. */
    static final byte[] LOW_WATER = key("outbox.low");

    /** The definitions in force as JSON. */
    static final byte[] DEFINITIONS = key("definitions");

    /** Random bytes by which the writer knows what its deployment published. */
    static final byte[] SECRET = key("definitions.secret");

    /**
     * Epoch and sequence of the last commit when a process began that has not asked the topics whether they hold more.
     */
    static final byte[] UNSETTLED = key("topics.unsettled");

    /** Number of the last producer. */
    static final byte[] SESSION = key("topics.session");

    /** With a table's name ⇒ its identity as JSON. */
    static final String TABLE_PREFIX = "table.";

    /** With a table's name ⇒ what is remembered of its topic, as JSON. */
    static final String TOPIC_PREFIX = "topic.";

    /** With a source's name ⇒ its position as JSON. */
    static final String SOURCE_PREFIX = "source.";

    /** With the numbers of a generation and a partition ⇒ a digest. */
    static final byte[] DIGEST_PREFIX = key("digest.");

    private MetaKeys() {}

    static byte[] key(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
