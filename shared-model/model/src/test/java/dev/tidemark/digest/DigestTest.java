package dev.tidemark.digest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DigestTest {
    private static final long SEED = 20_260_101L;

    @ParameterizedTest
    @CsvSource({
        "'', 00000000000000000000000000000000",
        "hello, cbd8a7b341bd9b025b1e906a48ae1d19",
        "'hello, world', 342fac623a5ebc8e4cdcbc079642414d",
        "'The quick brown fox jumps over the lazy dog.', cd99481f9ee902c9695da1a38987b6e7",
        "The quick brown fox jumps over the lazy dog, e34bbc7bbc071b6c7a433ca9c49a9347"
    })
    void theHashIsTheOneThatOthersCompute(String text, String expected) {
        assertThat(Digest.ofMember(text.getBytes(UTF_8))).hasToString(expected);
    }

    @Test
    void everyLengthHasItsOwnHash() {
        List<Digest> hashes = IntStream.range(0, 50)
                .mapToObj(length -> Digest.ofMember(new byte[length]))
                .toList();

        assertThat(hashes).doesNotHaveDuplicates();
    }

    /** The sum was computed by the code that wrote the first digests. */
    @Test
    void theHashOfEveryLengthIsTheOneOnDisk() {
        Digest sum = Digest.EMPTY;
        for (int length = 0; length < 256; length++) {
            byte[] member = new byte[length];
            for (int i = 0; i < length; i++) {
                member[i] = (byte) (i * 31 + 7);
            }
            sum = sum.plus(Digest.ofMember(member));
        }

        assertThat(sum).hasToString("f103c48119fb0317b96434fdd158d424");
    }

    @Test
    void theOrderOfMembersDoesNotMatter() {
        Random random = new Random(SEED);
        List<Digest> members = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            members.add(EntryDigest.ofContent(key("entry " + i), random.nextLong()));
        }
        Digest sum = members.stream().reduce(Digest.EMPTY, Digest::plus);
        Collections.shuffle(members, random);

        assertThat(members.stream().reduce(Digest.EMPTY, Digest::plus))
                .as("seed %d", SEED)
                .isEqualTo(sum);
        assertThat(members.stream().reduce(sum, Digest::minus)).isEqualTo(Digest.EMPTY);
    }

    @Test
    void aMemberThatIsThereTwiceCountsTwice() {
        Digest member = EntryDigest.ofContent(key("entry"), 1);

        assertThat(member.plus(member)).isNotEqualTo(member).isNotEqualTo(Digest.EMPTY);
    }

    @Test
    void keyFingerprintAndVersionEachMatter() {
        RowVersion version = new RowVersion(1, 2);

        assertThat(List.of(
                        EntryDigest.ofEntry(key("a"), 1, version),
                        EntryDigest.ofEntry(key("b"), 1, version),
                        EntryDigest.ofEntry(key("a"), 2, version),
                        EntryDigest.ofEntry(key("a"), 1, new RowVersion(1, 3)),
                        EntryDigest.ofEntry(key("a"), 1, new RowVersion(2, 2)),
                        EntryDigest.ofContent(key("a"), 1)))
                .doesNotHaveDuplicates();
        assertThat(EntryDigest.fingerprint(key("{\"a\":1}"))).isNotEqualTo(EntryDigest.fingerprint(key("{\"a\":2}")));
        assertThat(EntryDigest.fingerprint(KeyBytes.EMPTY)).isZero();
    }

    @Test
    void aDigestCanBeWrittenAndRead() {
        Digest digest = new Digest(-1, 255);

        assertThat(digest).hasToString("ffffffffffffffff00000000000000ff");
        assertThat(Digest.parse(digest.toString())).isEqualTo(digest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Digest.parse("12"))
                .withMessageContaining("32");
    }

    private static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(UTF_8));
    }
}
