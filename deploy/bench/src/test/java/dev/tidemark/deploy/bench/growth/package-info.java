/** Growth without processes: what is done in which order, and what is made of the numbers. */
@NullMarked
package dev.tidemark.deploy.bench.growth;

import org.jspecify.annotations.NullMarked;
