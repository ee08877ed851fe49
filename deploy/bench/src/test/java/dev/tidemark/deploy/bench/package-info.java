/** Tests of what benchmarks reckon. */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
