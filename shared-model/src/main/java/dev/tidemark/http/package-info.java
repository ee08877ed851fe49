/**
 * What both services do the same way over HTTP: the server with its limits, problem answers, health, metrics.
 *
 * <p>Read in this order: {@link dev.tidemark.http.HttpServer}, {@link dev.tidemark.http.Problem} and
 * {@link dev.tidemark.http.ProblemException} (every error leaves as {@code application/problem+json}, RFC 9457, never
 * with a stack trace), {@link dev.tidemark.http.Requests} (reading of bodies, keys and parameters), {@link
 * dev.tidemark.http.DirectCall} and {@link dev.tidemark.http.DirectHandler} (the few calls that are made most often, past
 * everything that they do not need).
 *
 * <p>Handlers run on the threads {@code http-*}, which own nothing.
 */
@NullMarked
package dev.tidemark.http;

import org.jspecify.annotations.NullMarked;
