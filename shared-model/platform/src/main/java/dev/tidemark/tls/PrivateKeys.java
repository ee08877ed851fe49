package dev.tidemark.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SecretFile;

/** Reads private keys in PKCS #8, plain or encrypted. */
final class PrivateKeys {
    private static final Pattern BLOCK = Pattern.compile(
            "-----BEGIN (ENCRYPTED )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END (?:ENCRYPTED )?PRIVATE KEY-----");

    private PrivateKeys() {}

    /**
     * The first key in the file.
     *
     * @param algorithm that the key is for
     * @throws BadSettingsException when there is none, it is for something else, or the password does not open it
     */
    static PrivateKey read(Path file, String algorithm, Optional<String> password) throws BadSettingsException {
        Matcher block = BLOCK.matcher(new String(SecretFile.read(file), StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new BadSettingsException("expected a key in PKCS #8 (BEGIN PRIVATE KEY) in " + file
                    + ", but there is none; others are turned into one by: openssl pkcs8 -topk8 -nocrypt");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            KeySpec spec = block.group(1) == null
                    ? new PKCS8EncodedKeySpec(der)
                    : decrypted(encrypted(der, file), file, password);
            return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Their messages may show a piece of the key.
            throw new BadSettingsException("expected " + file + " to hold a key for " + algorithm
                    + (block.group(1) == null ? "" : ", and tls.key.password to open it") + ", but it cannot be read");
        }
    }

    private static KeySpec decrypted(EncryptedPrivateKeyInfo encrypted, Path file, Optional<String> password)
            throws GeneralSecurityException, BadSettingsException {
        char[] text = password.orElseThrow(() -> new BadSettingsException(
                        "expected tls.key.password, because the key in " + file + " is encrypted"))
                .toCharArray();
        AlgorithmParameters parameters = encrypted.getAlgParameters();
        if (parameters == null) {
            throw encryptedOtherwise(file);
        }
        // Of PBES2 only the parameters contain the name of the scheme.
        String name = encrypted.getAlgName();
        String scheme = name.equals("PBES2") ? parameters.toString() : name;
        try {
            SecretKey opening = SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec(text));
            Cipher cipher = Cipher.getInstance(scheme);
            cipher.init(Cipher.DECRYPT_MODE, opening, parameters);
            return encrypted.getKeySpec(cipher);
        } catch (NoSuchAlgorithmException e) {
            throw encryptedOtherwise(file);
        }
    }

    private static EncryptedPrivateKeyInfo encrypted(byte[] der, Path file) throws BadSettingsException {
        try {
            return new EncryptedPrivateKeyInfo(der);
        } catch (IOException e) {
            throw encryptedOtherwise(file);
        }
    }

    private static BadSettingsException encryptedOtherwise(Path file) {
        return new BadSettingsException("expected the key in " + file
                + " to be encrypted by PBES2 with AES of 128 or 256 bits, as by: openssl pkcs8 -topk8 -v2 aes-256-cbc;"
                + " but it is encrypted otherwise, or damaged");
    }
}
