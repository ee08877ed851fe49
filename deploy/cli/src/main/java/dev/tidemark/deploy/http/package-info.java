/**
 * The services over HTTP, by the client for Java. {@link dev.tidemark.deploy.http.HttpServices} gives it to commands;
 * {@link dev.tidemark.deploy.http.JsonCalls} turns its failures into messages for people.
 *
 * <p>Safe for use by any thread. Nothing is retried: a person or a script decides that.
 */
@NullMarked
package dev.tidemark.deploy.http;

import org.jspecify.annotations.NullMarked;
