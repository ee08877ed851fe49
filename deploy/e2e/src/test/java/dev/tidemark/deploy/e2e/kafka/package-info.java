/**
 * Records of change topics, raw.
 */
@NullMarked
package dev.tidemark.deploy.e2e.kafka;

import org.jspecify.annotations.NullMarked;
