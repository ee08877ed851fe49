/**
 * TLS from PEM files, with the classes of the JDK alone.
 *
 * <p>Read in this order: {@link dev.tidemark.tls.TlsFiles} (which files, and what is made of them), {@link
 * dev.tidemark.tls.Identity} (a certificate with its key), {@link dev.tidemark.tls.PrivateKeys}.
 *
 * <p>Nothing here has threads or state. A bad file is reported as {@code BadSettingsException}, which names the file
 * and never its content.
 */
@NullMarked
package dev.tidemark.tls;

import org.jspecify.annotations.NullMarked;
