@NullMarked
package dev.tidemark.deploy.bench.apply;

import org.jspecify.annotations.NullMarked;
