/**
 * The services as prober and drill call them: {@link dev.tidemark.deploy.target.ServiceCaller} sends a request to one
 * of them, and {@link dev.tidemark.deploy.target.ServiceCaller.Reply} is an answer of any status.
 *
 * <p>Any thread may call. Nothing is retried: the caller judges a failed request.
 */
@NullMarked
package dev.tidemark.deploy.target;

import org.jspecify.annotations.NullMarked;
