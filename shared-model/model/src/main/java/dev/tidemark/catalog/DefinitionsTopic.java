package dev.tidemark.catalog;

/**
 * The compacted topic that carries the definitions to their consumers. It has one partition and one record under one
 * key; the newest value of the record is {@link DefinitionsJson}.
 */
public final class DefinitionsTopic {
    public static final String NAME = "tidemark.definitions";

    /** The key of the one record. */
    public static final String KEY = "catalog";

    /** The header with the version, as CloudEvents name the identity of an event. */
    public static final String VERSION_HEADER = "ce_id";

    /** The header with the epoch of the writer that published the record. */
    public static final String EPOCH_HEADER = "tidemark_epoch";

    /** The header with the seal, by which a writer recognizes the records of its deployment. */
    public static final String SEAL_HEADER = "tidemark_seal";

    private DefinitionsTopic() {}
}
