/** Tests of prober and drill as commands. */
@NullMarked
package dev.tidemark.deploy.chaos;

import org.jspecify.annotations.NullMarked;
