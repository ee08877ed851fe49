package dev.tidemark.digest;

import java.util.HexFormat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The digest of a multiset: the sum of the 128-bit hashes of its members, each half modulo 2^64. The order in which
 * members come and go does not matter, a member that is there twice counts twice, and taking a member away undoes
 * adding it.
 *
 * <p>Two sets that differ by accident have the same digest with a chance of about one in 2^128. The digest is no
 * protection against an attacker who searches for such sets.
 *
 * @param high sum of the first halves
 * @param low sum of the second halves
 */
public record Digest(long high, long low) {
    /** The digest of nothing. */
    public static final Digest EMPTY = new Digest(0, 0);

    private static final Hasher128 MURMUR3 = Hashing.murmur3_128();
    private static final int HEX_DIGITS = 32;
    private static final int HALF = HEX_DIGITS / 2;

    /** The digest of one member: MurmurHash3_x64_128 with the seed 0. Frozen: digests are on disk. */
    static Digest ofMember(byte[] member) {
        HashValue128 hash = MURMUR3.hashBytesTo128Bits(member);
        return new Digest(hash.getLeastSignificantBits(), hash.getMostSignificantBits());
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException when the text is not 32 hexadecimal digits
     */
    public static Digest parse(String text) {
        if (text.length() != HEX_DIGITS) {
            throw new IllegalArgumentException("Expected a digest of 32 hexadecimal digits, but got " + text);
        }
        return new Digest(
                HexFormat.fromHexDigitsToLong(text, 0, HALF), HexFormat.fromHexDigitsToLong(text, HALF, HEX_DIGITS));
    }

    /** The digest of both sets together. */
    public Digest plus(Digest other) {
        return new Digest(high + other.high, low + other.low);
    }

    /** The digest of what is left when the other set, which must be part of this one, is taken away. */
    public Digest minus(Digest other) {
        return new Digest(high - other.high, low - other.low);
    }

    /** Thirty-two hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
