/**
 * TLS from PEM files, with what the JDK has.
 *
 * <p>Read in this order: {@link dev.tidemark.tls.TlsFiles} (which files, and what is made of them), {@link
 * dev.tidemark.tls.Identity} (a certificate with its key), {@link dev.tidemark.tls.PrivateKeys}.
 *
 * <p>Nothing here has threads or state. Bad files are told as {@code BadSettingsException}, which names the file and never
 * what is in it.
 */
@NullMarked
package dev.tidemark.tls;

import org.jspecify.annotations.NullMarked;
