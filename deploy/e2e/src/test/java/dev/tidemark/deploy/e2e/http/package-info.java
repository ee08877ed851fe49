/**
 * The services as a test sees them: every answer is an answer, whatever its status.
 */
@NullMarked
package dev.tidemark.deploy.e2e.http;

import org.jspecify.annotations.NullMarked;
