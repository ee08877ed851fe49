/** Tests that this module, drill and prober keep the rules of the architecture. */
@NullMarked
package dev.tidemark.deploy.bench.architecture;

import org.jspecify.annotations.NullMarked;
