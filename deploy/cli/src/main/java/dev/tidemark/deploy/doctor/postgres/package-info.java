/** Asks a PostgreSQL what the doctor wants to know. */
@NullMarked
package dev.tidemark.deploy.doctor.postgres;

import org.jspecify.annotations.NullMarked;
