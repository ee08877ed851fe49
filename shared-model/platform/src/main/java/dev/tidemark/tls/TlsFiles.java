package dev.tidemark.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SecretFile;

/**
 * The files that one side of TLS is made of, all PEM.
 *
 * @param certificate of this side, followed by those that signed it; empty to show none
 * @param key of the certificate, PKCS #8; there when the certificate is
 * @param keyPassword of an encrypted key
 * @param trusted certificates that sign what the other side shows; empty for those that the JDK trusts
 */
public record TlsFiles(
        Optional<Path> certificate, Optional<Path> key, Optional<String> keyPassword, Optional<Path> trusted) {
    /** The versions of TLS that are spoken. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /** Whether there is any file. */
    public boolean isAny() {
        return certificate.isPresent() || key.isPresent() || trusted.isPresent();
    }

    /** Every file there is. */
    public List<Path> all() {
        List<Path> files = new ArrayList<>();
        certificate.ifPresent(files::add);
        key.ifPresent(files::add);
        trusted.ifPresent(files::add);
        return files;
    }

    /**
     * What the files hold now, ready for use.
     *
     * @throws BadSettingsException when a file cannot be read, holds something else, or key and certificate are no pair
     */
    public SSLContext load() throws BadSettingsException {
        if (certificate.isPresent() != key.isPresent()) {
            throw new BadSettingsException("expected tls.certificate and tls.key together, but got one of them");
        }
        KeyManager @Nullable [] own = null;
        if (certificate.isPresent()) {
            own = Identity.read(certificate.get(), key.orElseThrow(), keyPassword)
                    .managers();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own, trusted.isPresent() ? trust(certificates(trusted.get())) : null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new BadSettingsException("expected usable TLS files, but " + e.getMessage());
        }
    }

    static List<X509Certificate> certificates(Path file) throws BadSettingsException {
        byte[] pem = SecretFile.readPublic(file);
        List<X509Certificate> found = new ArrayList<>();
        try {
            for (Certificate one :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                if (one instanceof X509Certificate certificate) {
                    found.add(certificate);
                }
            }
        } catch (CertificateException e) {
            throw new BadSettingsException("expected certificates in PEM in " + file + ", but " + e.getMessage());
        }
        if (found.isEmpty()) {
            throw new BadSettingsException("expected at least one certificate in " + file + ", but there is none");
        }
        return found;
    }

    private static TrustManager[] trust(List<X509Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("trusted-" + i, certificates.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "TlsFiles" + all();
    }
}
