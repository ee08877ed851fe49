package dev.tidemark.kafka;

import java.util.Optional;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;

/** Definitions as the topic of definitions has them. */
public final class DefinitionRecords {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionRecords.class);

    private DefinitionRecords() {}

    /** What a record says; empty for a tombstone, and for what cannot be read, which is logged. */
    public static Optional<Definitions> read(ConsumerRecord<byte[], byte[]> message) {
        try {
            return message.value() == null ? Optional.empty() : Optional.of(DefinitionsJson.read(message.value()));
        } catch (BadDefinitionsException e) {
            LOGGER.warn("Offset {} of topic {} is passed over: {}", message.offset(), message.topic(), e.getMessage());
            return Optional.empty();
        }
    }
}
