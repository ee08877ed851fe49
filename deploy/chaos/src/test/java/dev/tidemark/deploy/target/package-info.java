/**
 * Tests of how answers of services are read.
 */
@NullMarked
package dev.tidemark.deploy.target;

import org.jspecify.annotations.NullMarked;
