package dev.tidemark.facts;

import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * One row of a stream of facts.
 *
 * @param key encoded primary key
 * @param version the newest change of the row
 * @param row the whole row; empty in a stream of versions only
 */
public record StreamedFact(KeyBytes key, RowVersion version, Optional<RowDocument> row) {}
