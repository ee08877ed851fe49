/**
 * Load over HTTP by the program wrk: {@link dev.tidemark.deploy.bench.wrk.WrkSuite} (Tidemark and its baseline),
 * {@link dev.tidemark.deploy.bench.wrk.WrkTool} (the program), {@link dev.tidemark.deploy.bench.wrk.WrkOutput} (its
 * output). The scripts that make requests are in {@code deploy/bench/scripts}. One thread. An answer other than 2xx
 * fails the round.
 */
@NullMarked
package dev.tidemark.deploy.bench.wrk;

import org.jspecify.annotations.NullMarked;
