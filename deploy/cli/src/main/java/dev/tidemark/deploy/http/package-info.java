/**
 * The services over HTTP, with the JDK's client. {@link dev.tidemark.deploy.http.HttpServices} gives the clients;
 * {@link dev.tidemark.deploy.http.JsonCalls} turns failures and problem answers into messages for people.
 *
 * <p>Safe for use by any thread. Nothing is retried: a person or a script decides that.
 */
@NullMarked
package dev.tidemark.deploy.http;

import org.jspecify.annotations.NullMarked;
