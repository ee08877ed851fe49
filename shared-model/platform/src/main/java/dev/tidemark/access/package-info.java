/**
 * Who may do what: tokens, their scopes, and limits on wrong tokens.
 *
 * <p>Read in this order: {@link dev.tidemark.access.Scope} (what a token may be allowed to do), {@link
 * dev.tidemark.access.Caller} (who has shown a token), {@link dev.tidemark.access.Tokens} (finds the caller, in
 * constant time), {@link dev.tidemark.access.TokenFile} (reads them), {@link dev.tidemark.access.FailedAttempts}
 * (counts failures).
 *
 * <p>All are free for any thread. A bad file is reported as {@code BadSettingsException}, which names the entry and
 * never its token.
 */
@NullMarked
package dev.tidemark.access;

import org.jspecify.annotations.NullMarked;
