/**
 * What the command line and the demo request from the two services.
 *
 * <p>Read {@link dev.tidemark.deploy.client.WriterApi} and {@link dev.tidemark.deploy.client.WorkerApi} first. They
 * send requests through the port {@link dev.tidemark.deploy.client.ServiceCalls}. Every call throws
 * {@link dev.tidemark.deploy.client.ServiceException} with a message for people when the service refuses or cannot be
 * reached. Implementations may be used by any thread.
 */
@NullMarked
package dev.tidemark.deploy.client;

import org.jspecify.annotations.NullMarked;
