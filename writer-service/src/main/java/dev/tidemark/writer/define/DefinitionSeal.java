package dev.tidemark.writer.define;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * By which a writer knows records that its own deployment published: a keyed hash, whose key is in the database and its copies
 * only. Workers cannot check it, and ask the writer instead.
 */
final class DefinitionSeal {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /**
     * A seal.
     *
     * @param secret the key as hexadecimal digits
     */
    DefinitionSeal(String secret) {
        this.key = new SecretKeySpec(HexFormat.of().parseHex(secret), ALGORITHM);
    }

    LoggedDefinitions seal(String json, long epoch) {
        return new LoggedDefinitions(json, epoch, of(json, epoch));
    }

    boolean isOn(LoggedDefinitions message) {
        byte[] right = of(message.json(), message.epoch()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(right, message.seal().getBytes(StandardCharsets.UTF_8));
    }

    private String of(String json, long epoch) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update((epoch + ":").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(mac.doFinal(json.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected every Java to have " + ALGORITHM, e);
        }
    }
}
