@NullMarked
package dev.tidemark.deploy.doctor;

import org.jspecify.annotations.NullMarked;
