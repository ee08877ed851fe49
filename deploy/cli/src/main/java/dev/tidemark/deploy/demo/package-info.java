/**
 * The demo: loads the sample tables, asks them questions, shows the lag while it writes, and checks everything it shows
 * against a scan of the fact table.
 *
 * <p>Read {@link dev.tidemark.deploy.demo.Demo} (the course of it), {@link dev.tidemark.deploy.demo.DemoQuery} and
 * {@link dev.tidemark.deploy.demo.DemoQueries} (what is asked, and which rows a scan must find),
 * {@link dev.tidemark.deploy.demo.DemoQueryRunner} (asks and compares) and {@link dev.tidemark.deploy.demo.LiveLag}
 * (writes and watches). One thread, and one more while it writes. A wrong result is a failed
 * {@link dev.tidemark.deploy.demo.DemoCheck}; only a service that refuses or is gone ends the demo early.
 */
@NullMarked
package dev.tidemark.deploy.demo;

import org.jspecify.annotations.NullMarked;
