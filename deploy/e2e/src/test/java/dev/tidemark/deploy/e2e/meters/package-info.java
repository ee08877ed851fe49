/**
 * Reading of Prometheus text.
 */
@NullMarked
package dev.tidemark.deploy.e2e.meters;

import org.jspecify.annotations.NullMarked;
