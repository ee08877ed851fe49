package dev.tidemark.writer.catalog;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * By which a writer knows records that its own deployment published: a keyed hash, whose key is in the database and its
 * copies only. Workers cannot check it, and ask the writer instead.
 */
public final class DefinitionSeal {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /**
     * A seal.
     *
     * @param secret the key as hexadecimal digits
     */
    public DefinitionSeal(String secret) {
        this.key = new SecretKeySpec(HexFormat.of().parseHex(secret), ALGORITHM);
    }

    LoggedDefinitions seal(String json, long epoch) {
        return new LoggedDefinitions(json, epoch, of(text(json, epoch)));
    }

    boolean isOn(LoggedDefinitions message) {
        return isOf(text(message.json(), message.epoch()), message.seal());
    }

    private static String text(String json, long epoch) {
        return epoch + ":" + json;
    }

    /** Whether a seal is that of a text, found out in the same time whether it is or not. */
    public boolean isOf(String text, String seal) {
        return MessageDigest.isEqual(of(text).getBytes(StandardCharsets.UTF_8), seal.getBytes(StandardCharsets.UTF_8));
    }

    /** The seal of a text, as hexadecimal digits. */
    public String of(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected every Java to have " + ALGORITHM, e);
        }
    }
}
