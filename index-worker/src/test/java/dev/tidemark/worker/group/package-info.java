@NullMarked
package dev.tidemark.worker.group;

import org.jspecify.annotations.NullMarked;
