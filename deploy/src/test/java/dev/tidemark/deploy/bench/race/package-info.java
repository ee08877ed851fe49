@NullMarked
package dev.tidemark.deploy.bench.race;

import org.jspecify.annotations.NullMarked;
