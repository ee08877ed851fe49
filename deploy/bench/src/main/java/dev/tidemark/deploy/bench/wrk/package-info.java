/**
 * Load over HTTP by wrk, a program of its own: {@link dev.tidemark.deploy.bench.wrk.WrkSuite} (Tidemark's racers, and whoever
 * is beside them), {@link dev.tidemark.deploy.bench.wrk.WrkContender} (a round), {@link dev.tidemark.deploy.bench.wrk.WrkOutput}
 * (what wrk prints). The scripts that make requests stand in {@code deploy/bench/scripts}. One thread. An answer other than 2xx
 * fails the round.
 */
@NullMarked
package dev.tidemark.deploy.bench.wrk;

import org.jspecify.annotations.NullMarked;
