/**
 * Load over HTTP by the program wrk: {@link dev.tidemark.deploy.bench.wrk.WrkSuite} (Tidemark's contenders and their
 * baselines), {@link dev.tidemark.deploy.bench.wrk.WrkContender} (a round), {@link
 * dev.tidemark.deploy.bench.wrk.WrkOutput} (what wrk prints). The scripts that make requests are in {@code
 * deploy/bench/scripts}. One thread. An answer other than 2xx fails the round.
 */
@NullMarked
package dev.tidemark.deploy.bench.wrk;

import org.jspecify.annotations.NullMarked;
