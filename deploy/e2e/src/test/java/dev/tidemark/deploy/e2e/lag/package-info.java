/**
 * Is the lag that is reported ever smaller than the real one? One class for each kind of situation, each with a running
 * stack of its own, and the shipped prober as the judge. {@code LagAccuracyIT} runs them, three at a time: they mostly
 * wait.
 */
@NullMarked
package dev.tidemark.deploy.e2e.lag;

import org.jspecify.annotations.NullMarked;
