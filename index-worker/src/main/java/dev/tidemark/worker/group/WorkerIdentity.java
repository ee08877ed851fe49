package dev.tidemark.worker.group;

import java.net.URI;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * A worker, as others see it.
 *
 * @param url where others reach it
 * @param instance name of its data directory
 * @param rack where it runs, as Kafka's {@code client.rack}; empty where it knows none
 */
public record WorkerIdentity(URI url, String instance, String rack) {
    /** Address and rack stand in the metadata of each offset, which brokers limit. */
    private static final int LONGEST_URL = 512;

    private static final Pattern RACK = Pattern.compile("[!-~]{0,128}");

    /**
     * Checks that a worker can note its address and its rack.
     *
     * @throws IllegalArgumentException when it cannot
     */
    public static void requireNotable(URI url, String rack) {
        String text = url.toString();
        if (!("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                || url.getHost() == null
                || text.length() > LONGEST_URL
                || !text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
            throw new IllegalArgumentException("expected advertised.url to be like http://10.0.0.7:8082 and at most "
                    + LONGEST_URL + " characters long, but got " + text);
        }
        if (!RACK.matcher(rack).matches()) {
            throw new IllegalArgumentException(
                    "expected kafka.client.rack to be up to 128 visible ASCII characters without blanks, but got "
                            + rack);
        }
    }

    /** What it notes of a shard. */
    public OffsetNote note(ShardCheckpoint checkpoint) {
        return new OffsetNote(
                checkpoint.progress(),
                url,
                instance,
                checkpoint.generations().keySet().stream()
                        .filter(checkpoint::serves)
                        .collect(Collectors.toCollection(TreeSet::new)),
                rack);
    }
}
