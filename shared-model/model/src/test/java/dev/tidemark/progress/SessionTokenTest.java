package dev.tidemark.progress;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SessionTokenTest {
    private static final SessionToken TOKEN =
            new SessionToken("movies", Map.of(0, new RowVersion(1, 7), 3, new RowVersion(2, 123_456)));
    private static final WrittenRow ROW = new WrittenRow(KeyBytes.wrap(new byte[] {21, 101, 7}), false);

    @Test
    void readsWhatItWrote() throws Exception {
        Map<Integer, RowVersion> many = new HashMap<>();
        for (int partition = 0; partition < 1_024; partition++) {
            many.put(partition, new RowVersion(9_999, 999_999_999_999_999L));
        }
        for (SessionToken token :
                List.of(TOKEN, new SessionToken("t", Map.of()), new SessionToken("t".repeat(63), many))) {
            assertThat(token.encode()).hasSizeLessThanOrEqualTo(SessionToken.MAX_TEXT_LENGTH);
            assertThat(SessionToken.decode(token.encode())).isEqualTo(token);
        }
    }

    @Test
    void readsTheTokensThatWereGivenOutBeforeTokensNamedTheirRow() throws Exception {
        assertThat(SessionToken.decode("AQljdXN0b21lcnMAAAABAAAAAAAAAAEAAAAAAAAAAXorw7U"))
                .isEqualTo(SessionToken.of("customers", 1, new RowVersion(1, 1)));
    }

    @Test
    void ofOneRowNamesItAndStaysShort() throws Exception {
        KeyBytes longest = KeyBytes.wrap(new byte[1_024]);
        RowVersion newest = new RowVersion(9_999, 999_999_999_999_999L);
        for (WrittenRow row : List.of(ROW, new WrittenRow(ROW.key(), true), new WrittenRow(longest, false))) {
            SessionToken token = SessionToken.of("customers", 1_023, newest, row);
            assertThat(SessionToken.decode(token.encode())).isEqualTo(token);
        }
        assertThat(SessionToken.of("customers", 1, newest, ROW).encode()).hasSizeLessThan(47);
    }

    @Test
    void ofOneRowIsRefusedWhenAnyBitWasFlipped() {
        byte[] raw = Base64.getUrlDecoder()
                .decode(SessionToken.of("movies", 3, new RowVersion(1, 7), ROW).encode());
        for (int bit = 0; bit < raw.length * 8; bit++) {
            byte[] flipped = raw.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(flipped));
        }
    }

    @Test
    void ofOneRowHasOneVersion() {
        assertThatThrownBy(() -> new SessionToken("movies", TOKEN.versions(), Optional.of(ROW)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isTheSameTextForTheSameWrites() {
        assertThat(new SessionToken("movies", new HashMap<>(TOKEN.versions())).encode())
                .isEqualTo(TOKEN.encode());
        assertThat(TOKEN.encode()).matches("[A-Za-z0-9_-]+");
    }

    @Test
    void refusesATokenInWhichAnyBitWasFlipped() {
        byte[] raw = Base64.getUrlDecoder().decode(TOKEN.encode());
        for (int bit = 0; bit < raw.length * 8; bit++) {
            byte[] flipped = raw.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(flipped));
        }
    }

    @Test
    void refusesATokenInWhichAnyCharacterWasChanged() {
        String text = TOKEN.encode();
        for (int i = 0; i < text.length(); i++) {
            for (char c : "AQgw9_-=+/ é".toCharArray()) {
                if (text.charAt(i) != c) {
                    assertRefused(text.substring(0, i) + c + text.substring(i + 1));
                }
            }
            assertRefused(text.substring(0, i));
            assertRefused(text.substring(0, i) + text.substring(i + 1));
        }
        assertRefused(text + "=");
        assertRefused(text + "A");
    }

    @Test
    void refusesGarbage() {
        for (String text : List.of("", "A", "AAAA", "AAAAAAAA", "not a token", "%00", "0", "x".repeat(50_000))) {
            assertRefused(text);
        }
    }

    @Test
    void namesTheFormatOfATokenThatANewerVersionGaveOut() {
        assertThatThrownBy(() -> SessionToken.decode(made(new byte[] {4, 1, 't'})))
                .isInstanceOf(BadTokenException.class)
                .hasMessageContaining("expected a token of format 1 to 3, but got format 4");
    }

    @Test
    void refusesWhatOnlyTheChecksumWouldAccept() {
        // Format, a name of one letter, then part of an entry.
        assertRefused(made(new byte[] {1, 1, 't', 0, 0, 0, 1, 0, 0}));
        // A length of name beyond the end, and a negative one.
        assertRefused(made(new byte[] {1, 9, 't'}));
        assertRefused(made(new byte[] {1, -1, 't'}));
        // A row without all of its version, and one of a version that there cannot be.
        assertRefused(made(new byte[] {2, 1, 't', 0, 0, 0, 0, 0, 0}));
        assertRefused(made(new byte[] {3, 1, 't', 0, 0, -1, -1, -1, -1, -1, -1, -1, -1}));
        // The same partition twice.
        byte[] twice = new byte[3 + 40];
        ByteBuffer.wrap(twice)
                .put((byte) 1)
                .put((byte) 1)
                .put((byte) 't')
                .putInt(5)
                .putLong(1)
                .putLong(1)
                .putInt(5)
                .putLong(1)
                .putLong(2);
        assertRefused(made(twice));
    }

    private static String made(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        byte[] raw = ByteBuffer.allocate(content.length + 4)
                .put(content)
                .putInt((int) crc.getValue())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    }

    private static void assertRefused(String text) {
        assertThatThrownBy(() -> SessionToken.decode(text))
                .as(text)
                .isInstanceOf(BadTokenException.class)
                .hasMessageStartingWith("expected a token ");
    }
}
