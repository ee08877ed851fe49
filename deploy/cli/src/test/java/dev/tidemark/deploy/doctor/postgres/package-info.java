@NullMarked
package dev.tidemark.deploy.doctor.postgres;

import org.jspecify.annotations.NullMarked;
