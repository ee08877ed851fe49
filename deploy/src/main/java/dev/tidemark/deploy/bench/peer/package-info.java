/**
 * The processes of the peers that are made here: {@link dev.tidemark.deploy.bench.peer.PlainLoopMain} and {@link
 * dev.tidemark.deploy.bench.peer.StoreAloneMain}. One thread each; what fails ends the process with a code other than 0.
 */
@NullMarked
package dev.tidemark.deploy.bench.peer;

import org.jspecify.annotations.NullMarked;
