package dev.tidemark.writer.commit;

import java.util.Optional;

/**
 * A planned change and the row that it replaces.
 *
 * @param before the row just before the change, earlier changes of the same group included; empty where there is none
 */
public record RowStep(CommittedChange change, Optional<StoredRow> before) {}
