/**
 * End to end: real broker, writer and worker processes, killed for real. Read the classes of guarantee first, then any
 * suite.
 */
@NullMarked
package dev.tidemark.deploy.e2e;

import org.jspecify.annotations.NullMarked;
