/** Tests of the samples and of the demo's judgement. */
@NullMarked
package dev.tidemark.deploy.demo;

import org.jspecify.annotations.NullMarked;
