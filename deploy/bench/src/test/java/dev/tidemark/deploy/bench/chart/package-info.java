/** Tests of the picture beside a report. */
@NullMarked
package dev.tidemark.deploy.bench.chart;

import org.jspecify.annotations.NullMarked;
