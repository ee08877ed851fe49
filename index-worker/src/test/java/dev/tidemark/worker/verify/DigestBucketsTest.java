package dev.tidemark.worker.verify;

import java.util.BitSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class DigestBucketsTest {
    private static final KeyBytes KEY = key(1);

    @Test
    void thereIsABucketForAbout64RowsButNeitherFewNorVeryMany() {
        assertThat(DigestBuckets.bits(0)).isEqualTo(12);
        assertThat(DigestBuckets.bits((1L << 18) - 1)).isEqualTo(12);
        assertThat(DigestBuckets.bits(1L << 18)).isEqualTo(13);
        assertThat(DigestBuckets.bits((1L << 25) - 1)).isEqualTo(19);
        assertThat(DigestBuckets.bits(1L << 25)).isEqualTo(20);
        assertThat(DigestBuckets.bits(Long.MAX_VALUE)).isEqualTo(20);
        assertThat(DigestBuckets.bytes(12)).isEqualTo(16 * 4096);
    }

    @Test
    void aBucketIsEvenOnceWhatWasAddedIsTakenAwayAgain() {
        Digest one = new Digest(5, 7);
        Digest other = new Digest(-9, 11);
        DigestBuckets buckets = new DigestBuckets(12);
        buckets.add(KEY, one);
        buckets.add(KEY, other);
        assertThat(buckets.uneven()).isEqualTo(bucketOf(buckets, KEY));

        buckets.remove(KEY, other);
        buckets.remove(KEY, one);

        assertThat(buckets.uneven().isEmpty()).isTrue();
    }

    @Test
    void aBucketIsUnevenWhereEitherHalfOfTheSumIs() {
        for (Digest half : new Digest[] {new Digest(1, 0), new Digest(0, 1)}) {
            DigestBuckets added = new DigestBuckets(12);
            added.add(KEY, half);
            assertThat(added.uneven()).isEqualTo(bucketOf(added, KEY));

            DigestBuckets removed = new DigestBuckets(12);
            removed.remove(KEY, half);
            assertThat(removed.uneven()).isEqualTo(bucketOf(removed, KEY));
        }
    }

    @Test
    void rowsAreSpreadOverAllBucketsAndPartsAndOverThePartsOfEachBucket() {
        DigestBuckets buckets = new DigestBuckets(12);
        int[] perBucket = new int[4096];
        int[] perPart = new int[8];
        int[] perPartOfSome = new int[2];
        for (int i = 0; i < 65_536; i++) {
            KeyBytes key = key(i);
            perBucket[buckets.of(key)]++;
            perPart[DigestBuckets.part(key, 8)]++;
            if (buckets.of(key) < 64) {
                perPartOfSome[DigestBuckets.part(key, 2)]++;
            }
        }

        assertThat(IntStream.of(perBucket).filter(rows -> rows > 0).count()).isGreaterThan(2_000);
        assertThat(IntStream.of(perBucket).max().orElseThrow()).isLessThan(200);
        assertThat(perPart).isNotEmpty().doesNotContain(0);
        assertThat(perPartOfSome).hasSize(2).doesNotContain(0);
    }

    private static BitSet bucketOf(DigestBuckets buckets, KeyBytes key) {
        BitSet bucket = new BitSet();
        bucket.set(buckets.of(key));
        return bucket;
    }

    private static KeyBytes key(int number) {
        return KeyBytes.wrap(new byte[] {1, (byte) (number >> 8), (byte) number, 3});
    }
}
