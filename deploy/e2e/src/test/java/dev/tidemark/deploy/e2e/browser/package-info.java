/**
 * A real browser for the suites, where this machine has one.
 */
@NullMarked
package dev.tidemark.deploy.e2e.browser;

import org.jspecify.annotations.NullMarked;
