/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.shard;

import org.jspecify.annotations.NullMarked;
