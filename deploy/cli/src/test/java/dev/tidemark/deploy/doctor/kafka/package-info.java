@NullMarked
package dev.tidemark.deploy.doctor.kafka;

import org.jspecify.annotations.NullMarked;
