/** Tests of what makes processes start quickly. */
@NullMarked
package dev.tidemark.deploy.faststart;

import org.jspecify.annotations.NullMarked;
