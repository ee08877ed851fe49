/**
 * What both services do the same way over HTTP: the server with its limits, routes, problem answers, health, metrics.
 *
 * <p>Read in this order: {@link dev.tidemark.http.HttpServer}, {@link dev.tidemark.http.Route} (a call, and what it
 * needs and takes), {@link dev.tidemark.http.Exchange} (one request on its way: head, body, handler, answer),
 * {@link dev.tidemark.http.Call} (what a handler sees of it), {@link dev.tidemark.http.Problem} and
 * {@link dev.tidemark.http.ProblemException} (every error leaves as {@code application/problem+json}, RFC 9457, never
 * with a stack trace).
 *
 * <p>Threads: {@code network-*} read and write and never wait, {@code http-*} run handlers. Neither waits for a client.
 *
 * <p>Memory: a body is held by {@link dev.tidemark.http.BodyReader}, the tree of a JSON body by
 * {@link dev.tidemark.http.Requests#object}. A handler that builds more than a small answer calls
 * {@link dev.tidemark.http.Call#reserve} before it does, or {@link dev.tidemark.http.Call#tryReserve} and does with
 * less, for all that it holds at a time: what it reads, and the answer. It gives nothing back: that is done once the
 * answer is sent. An answer of any size is one of {@link dev.tidemark.http.BodyChunks}, for which the memory of a piece
 * is reserved.
 */
@NullMarked
package dev.tidemark.http;

import org.jspecify.annotations.NullMarked;
