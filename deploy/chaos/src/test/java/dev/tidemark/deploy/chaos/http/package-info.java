/** Tests of the HTTP clients of prober and drill. */
@NullMarked
package dev.tidemark.deploy.chaos.http;

import org.jspecify.annotations.NullMarked;
