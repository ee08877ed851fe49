/**
 * What people read on a terminal: {@link dev.tidemark.deploy.text.Terminal} (where it goes and what it can do),
 * {@link dev.tidemark.deploy.text.TextTable} (aligned columns), {@link dev.tidemark.deploy.text.Amounts} (numbers with
 * units), then the two tables, {@link dev.tidemark.deploy.text.AnswerTable} and
 * {@link dev.tidemark.deploy.text.LagTable}.
 *
 * <p>Colour and box drawing appear on a terminal only; a pipe or file gets plain aligned text. Used by one thread.
 */
@NullMarked
package dev.tidemark.deploy.text;

import org.jspecify.annotations.NullMarked;
