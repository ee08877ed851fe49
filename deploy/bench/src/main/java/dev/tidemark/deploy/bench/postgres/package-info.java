/**
 * PostgreSQL as it is installed on this machine, as a baseline. A separate server in a temporary directory, with its
 * default settings, ended by its process handle. One thread.
 */
@NullMarked
package dev.tidemark.deploy.bench.postgres;

import org.jspecify.annotations.NullMarked;
