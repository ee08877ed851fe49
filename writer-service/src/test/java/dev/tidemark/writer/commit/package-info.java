/** Tests of the committer. */
@NullMarked
package dev.tidemark.writer.commit;

import org.jspecify.annotations.NullMarked;
