/**
 * What must hold, as objects that every suite reuses. None of them uses the code whose work it checks.
 */
@NullMarked
package dev.tidemark.deploy.e2e.guarantee;

import org.jspecify.annotations.NullMarked;
