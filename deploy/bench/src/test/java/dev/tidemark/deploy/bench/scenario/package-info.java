@NullMarked
package dev.tidemark.deploy.bench.scenario;

import org.jspecify.annotations.NullMarked;
