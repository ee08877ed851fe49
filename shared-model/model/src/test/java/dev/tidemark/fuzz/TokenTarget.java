package dev.tidemark.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;

/** A session token: as text, and as content behind which the right checksum is put. */
public final class TokenTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) {
        decode(new String(input, StandardCharsets.ISO_8859_1));
        decode(sealed(input));
    }

    private static void decode(String text) {
        try {
            SessionToken token = SessionToken.decode(text);
            FuzzTarget.require(token.encode().equals(text), "one spelling of a token, but got " + text);
        } catch (BadTokenException e) {
            FuzzTarget.require(!e.getMessage().isEmpty(), "a message");
        }
    }

    private static String sealed(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        byte[] raw = ByteBuffer.allocate(content.length + Integer.BYTES)
                .put(content)
                .putInt((int) crc.getValue())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    }
}
