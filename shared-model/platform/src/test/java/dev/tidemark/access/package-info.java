@NullMarked
package dev.tidemark.access;

import org.jspecify.annotations.NullMarked;
