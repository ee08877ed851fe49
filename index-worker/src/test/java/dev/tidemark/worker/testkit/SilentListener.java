package dev.tidemark.worker.testkit;

import dev.tidemark.worker.apply.ShardApplier;

/** Does not care. */
public final class SilentListener implements ShardApplier.Listener {}
