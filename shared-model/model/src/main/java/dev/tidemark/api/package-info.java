/**
 * Answers of the HTTP API as records. Jackson writes and reads them by the names of their components, so a service and
 * its clients agree on an answer in one place. A record may leave out members that no client in this project reads.
 *
 * <p>Where an answer lacks a member or has null there, a text is empty, a list has no elements, JSON is the null value,
 * a primitive number is 0, and a boxed one is null.
 */
@NullMarked
package dev.tidemark.api;

import org.jspecify.annotations.NullMarked;
