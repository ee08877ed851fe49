/**
 * Prepares an installation so that its processes start in about half the processor time: class data sharing, or an
 * ahead-of-time cache where Java has one, and a native library that is already unpacked. The build of a checkout runs
 * it once the jars are laid out.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.faststart.FastStart} (all images),
 * {@link dev.tidemark.deploy.faststart.Training} (what is learnt),
 * {@link dev.tidemark.deploy.faststart.ImageFile} (what is made of that) and
 * {@link dev.tidemark.deploy.faststart.rocks.NativeLibrary}.
 *
 * <p>One thread. Nothing needs what is made here: where it cannot be made, the cause is said and processes start more
 * slowly. A virtual machine looks at the times and sizes of the jars and passes over an image that was made of
 * others.
 */
@NullMarked
package dev.tidemark.deploy.faststart;

import org.jspecify.annotations.NullMarked;
