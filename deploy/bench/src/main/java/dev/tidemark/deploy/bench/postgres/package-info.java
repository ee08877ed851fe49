/** What the benchmarks read from PostgreSQL by JDBC. {@code TownQueries} is for any thread. */
@NullMarked
package dev.tidemark.deploy.bench.postgres;

import org.jspecify.annotations.NullMarked;
