@NullMarked
package dev.tidemark.source.mariadb;

import org.jspecify.annotations.NullMarked;
