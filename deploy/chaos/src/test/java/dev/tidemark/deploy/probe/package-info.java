/** Tests of the outside prober. */
@NullMarked
package dev.tidemark.deploy.probe;

import org.jspecify.annotations.NullMarked;
