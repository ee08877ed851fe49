@NullMarked
package dev.tidemark.deploy.bench.postgres;

import org.jspecify.annotations.NullMarked;
