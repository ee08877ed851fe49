package dev.tidemark.http;

import javax.net.ssl.SSLContext;

import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.ReloadedFiles;
import dev.tidemark.tls.TlsFiles;

/** The TLS side of a listener. Files that changed are in force for connections made from then on. */
final class ServerTls {
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerTls.class);

    /** Suites of TLS 1.2 whose padding has been guessed from the time that it takes. */
    private static final String CBC = ".*_CBC_.*";

    private final ReloadedFiles<SSLContext> context;
    private final SslContextFactory.Server factory = new SslContextFactory.Server();

    private ServerTls(ReloadedFiles<SSLContext> context, boolean certificatesOfClients) {
        this.context = context;
        factory.setSslContext(context.current());
        factory.setIncludeProtocols(TlsFiles.PROTOCOLS.toArray(String[]::new));
        factory.addExcludeCipherSuites(CBC);
        factory.setRenegotiationAllowed(false);
        factory.setNeedClientAuth(certificatesOfClients);
    }

    /**
     * Of the files.
     *
     * @throws BadSettingsException when they cannot be used
     */
    static ServerTls open(TlsFiles files) throws BadSettingsException {
        return new ServerTls(
                ReloadedFiles.open("certificate of this service", files.all(), files::load),
                files.trusted().isPresent());
    }

    SslConnectionFactory connections() {
        return new SslConnectionFactory(factory, "http/1.1");
    }

    ReloadedFiles<SSLContext> files() {
        return context;
    }

    /** Puts changed files in force. */
    void refresh() {
        if (context.refresh()) {
            try {
                factory.reload(present -> present.setSslContext(context.current()));
            } catch (Exception e) {
                LOGGER.error("The new certificate cannot be put in force", e);
            }
        }
    }
}
