package dev.tidemark.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes TLS of PEM files. */
final class Pem {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final char[] NO_PASSWORD = {};

    /** Certificates that sign those of the services. */
    Optional<Path> trusted = Optional.empty();

    /** Certificate of the client, together with its key. */
    Optional<Path> certificate = Optional.empty();

    Optional<Path> key = Optional.empty();

    /** Empty where there is no file. */
    Optional<SSLContext> context() {
        if (trusted.isEmpty() && certificate.isEmpty()) {
            return Optional.empty();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted.isPresent() ? trusted(certificates(trusted.get())) : null);
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(own(), NO_PASSWORD);
            context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
            return Optional.of(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("The JDK cannot make TLS of " + trusted + " and " + certificate, e);
        }
    }

    private static KeyStore trusted(List<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("trusted-" + i, certificates.get(i));
        }
        return store;
    }

    private KeyStore own() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        if (certificate.isPresent() && key.isPresent()) {
            List<? extends Certificate> chain = certificates(certificate.get());
            PrivateKey secret = key(key.get(), chain.get(0).getPublicKey().getAlgorithm());
            store.setKeyEntry("own", secret, NO_PASSWORD, chain.toArray(new Certificate[0]));
        }
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static List<? extends Certificate> certificates(Path file) {
        try {
            List<? extends Certificate> found = List.copyOf(CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file))));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("expected certificates in PEM in " + file, e);
        }
        throw new IllegalArgumentException("expected a certificate in PEM in " + file + ", but there is none");
    }

    private static PrivateKey key(Path file, String algorithm) {
        try {
            Matcher block = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            if (block.find()) {
                byte[] der = Base64.getMimeDecoder().decode(block.group(1));
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            }
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            // Their messages may show a piece of the key.
        }
        throw new IllegalArgumentException("expected a readable key for " + algorithm + " in " + file
                + ", in PKCS #8 (BEGIN PRIVATE KEY) and not encrypted");
    }
}
