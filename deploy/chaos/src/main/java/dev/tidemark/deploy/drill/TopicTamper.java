package dev.tidemark.deploy.drill;

import java.util.Map;
import java.util.function.Supplier;

import dev.tidemark.catalog.TableDefinition;

/**
 * Writes into the change topic of a table behind the services' backs. Every call takes seconds at most, and throws
 * {@link TamperFailedException} where the brokers refuse it.
 */
public interface TopicTamper {

    /**
     * Appends a record that cannot be read.
     *
     * @param key of the row that it pretends to be of, as text
     */
    void poison(TableDefinition table, String key) throws InterruptedException;

    /**
     * Appends records that pretend to be the writer's. One is a row without a field that an index holds, in a version
     * far above all that the writer has given. One has another row's body than its key says. One is a heartbeat of the
     * year 2099. One is version 900 of the definitions, without any index.
     *
     * @param keys give the keys of the rows that they are about, as text
     */
    void forge(TableDefinition table, Supplier<String> keys) throws InterruptedException;

    /**
     * Appends the newest records of every partition again, in their order.
     *
     * @param most of each partition
     */
    void repeat(TableDefinition table, int most) throws InterruptedException;

    /**
     * Gives the topic other settings.
     *
     * @return what these settings were before
     */
    Map<String, String> configure(TableDefinition table, Map<String, String> settings) throws InterruptedException;

    /** Gives the topic one more partition. */
    void addPartition(TableDefinition table) throws InterruptedException;

    /** Makes the topic forget every record that is in it now, as retention would; its offsets go on. */
    void forget(TableDefinition table) throws InterruptedException;

    /** Deletes the topic, with all that is in it. */
    void delete(TableDefinition table) throws InterruptedException;

    /** A request to the brokers failed. */
    final class TamperFailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public TamperFailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
