package dev.tidemark.writer.catalog;

/**
 * A record of the log as it is stored: any process that may write to the log may have written it.
 *
 * @param json definitions, if it is what it should be
 * @param epoch of the writer that published it; 0 where the record has none
 * @param seal of those two, see {@link DefinitionSeal}; empty where there is none
 */
public record LoggedDefinitions(String json, long epoch, String seal) {}
