package dev.tidemark.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

import dev.tidemark.settings.BadSettingsException;

/** A certificate, those that signed it, and its key. */
final class Identity {
    private static final byte[] PROBE = {1, 2, 3, 4};

    /** Of the key in memory; the JDK's stores want one. */
    private static final char[] NO_PASSWORD = {};

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private Identity(List<X509Certificate> chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    /**
     * Reads both files.
     *
     * @throws BadSettingsException when either holds something else, or they are no pair
     */
    static Identity read(Path certificate, Path key, Optional<String> password) throws BadSettingsException {
        List<X509Certificate> chain = TlsFiles.certificates(certificate);
        String algorithm = chain.get(0).getPublicKey().getAlgorithm();
        Identity identity = new Identity(chain, PrivateKeys.read(key, algorithm, password));
        if (!identity.isPair(algorithm)) {
            throw new BadSettingsException("expected " + key + " to hold the key of the first certificate in "
                    + certificate + ", but it is another's");
        }
        return identity;
    }

    KeyManager[] managers() throws BadSettingsException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new BadSettingsException("expected a usable key and certificate, but " + e.getMessage());
        }
    }

    private boolean isPair(String algorithm) throws BadSettingsException {
        String signing = switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm;
        };
        try {
            Signature signer = Signature.getInstance(signing);
            signer.initSign(key);
            signer.update(PROBE);
            byte[] signature = signer.sign();
            signer.initVerify(chain.get(0).getPublicKey());
            signer.update(PROBE);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            throw new BadSettingsException("expected a key that can sign, but " + e.getMessage());
        }
    }
}
