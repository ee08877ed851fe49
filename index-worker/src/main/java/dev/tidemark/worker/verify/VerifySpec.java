package dev.tidemark.worker.verify;

import java.util.Optional;

/**
 * A request for a comparison.
 *
 * @param index bare name of one index; empty for every index of the table
 * @param repair whether rows that differ are repaired, and compared once more
 */
public record VerifySpec(String table, Optional<String> index, VerifyRequest.Mode mode, boolean repair) {}
