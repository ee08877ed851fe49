/** PostgreSQL by JDBC: what the source asks beside the stream of changes. */
@NullMarked
package dev.tidemark.source.postgres;

import org.jspecify.annotations.NullMarked;
