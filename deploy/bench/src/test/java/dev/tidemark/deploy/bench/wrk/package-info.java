@NullMarked
package dev.tidemark.deploy.bench.wrk;

import org.jspecify.annotations.NullMarked;
