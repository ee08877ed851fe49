@NullMarked
package dev.tidemark.tls;

import org.jspecify.annotations.NullMarked;
