/**
 * Receipts: the status of a write in each index of its table.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.receipt.ReceiptService} (called with the token that the write
 * returned), {@link dev.tidemark.worker.receipt.VersionStatus} (the pure function from a shard's snapshot of a row to
 * the status of one version of it), {@link dev.tidemark.worker.receipt.IndexStatus} (what that means for one index),
 * {@link dev.tidemark.worker.receipt.Receipt}.
 *
 * <p>For any thread. A token without a known answer is refused with a reason, never answered with a guess.
 */
@NullMarked
package dev.tidemark.worker.receipt;

import org.jspecify.annotations.NullMarked;
