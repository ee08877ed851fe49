/** Tests of what the worker knows of the writer's clock. */
@NullMarked
package dev.tidemark.worker.clocks;

import org.jspecify.annotations.NullMarked;
