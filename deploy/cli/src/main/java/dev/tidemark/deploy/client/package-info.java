/**
 * What the command line and the demo ask of the two services, without a word about how the question travels.
 *
 * <p>Read {@link dev.tidemark.deploy.client.WriterApi} and {@link dev.tidemark.deploy.client.WorkerApi} first; the
 * records are their answers, each made from the service's JSON. Every call throws
 * {@link dev.tidemark.deploy.client.ServiceException} with a message for people when the service refuses or cannot be
 * reached. Implementations may be used by any thread.
 */
@NullMarked
package dev.tidemark.deploy.client;

import org.jspecify.annotations.NullMarked;
