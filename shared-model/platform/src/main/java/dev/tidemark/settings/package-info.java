/**
 * Settings of a service: defined once with type, default, range and meaning, read from file, environment and command
 * line in that order, each overriding the one before.
 *
 * <p>Kafka's {@code ConfigDef} does the typing and validating; it is the only part of Kafka that is used outside the
 * {@code kafka} packages. Secrets are of type {@code PASSWORD} and print as {@code [hidden]}.
 */
@NullMarked
package dev.tidemark.settings;

import org.jspecify.annotations.NullMarked;
