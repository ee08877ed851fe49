/**
 * Receipts: what became of a write in each index of its table.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.receipt.ReceiptService} (asked with the token that the write answered),
 * {@link dev.tidemark.worker.receipt.VersionStatus} (the pure function from what a shard shows of a row to what became of one
 * version of it), {@link dev.tidemark.worker.receipt.IndexStatus} (what that means for one index), {@link
 * dev.tidemark.worker.receipt.Receipt}.
 *
 * <p>For any thread. A token that cannot be answered is refused with a reason, never answered with a guess.
 */
@NullMarked
package dev.tidemark.worker.receipt;

import org.jspecify.annotations.NullMarked;
