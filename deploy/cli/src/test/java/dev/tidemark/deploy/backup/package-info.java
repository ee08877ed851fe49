/** Tests of copies of an installation. */
@NullMarked
package dev.tidemark.deploy.backup;

import org.jspecify.annotations.NullMarked;
