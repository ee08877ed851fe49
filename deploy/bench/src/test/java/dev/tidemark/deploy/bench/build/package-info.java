@NullMarked
package dev.tidemark.deploy.bench.build;

import org.jspecify.annotations.NullMarked;
