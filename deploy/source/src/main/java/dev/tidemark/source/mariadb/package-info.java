/** MariaDB by JDBC: what the source asks, and writes, beside the stream of changes. */
@NullMarked
package dev.tidemark.source.mariadb;

import org.jspecify.annotations.NullMarked;
