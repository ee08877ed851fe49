/**
 * Is the lag that is reported ever smaller than the real one? One class for each kind of situation, and the shipped
 * prober as the judge. {@code LagAccuracyIT} runs them in turn, on one running stack.
 */
@NullMarked
package dev.tidemark.deploy.e2e.lag;

import org.jspecify.annotations.NullMarked;
