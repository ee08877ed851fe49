package dev.tidemark.worker.verify;

import dev.tidemark.worker.apply.RowRepair;

/**
 * A row whose entries in one generation are not as the table says.
 *
 * @param shard that holds the wrong entries
 * @param repair what puts that right
 */
public record WrongRow(ShardWindow shard, RowRepair repair) {}
