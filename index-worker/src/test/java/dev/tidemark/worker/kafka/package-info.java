/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.kafka;

import org.jspecify.annotations.NullMarked;
