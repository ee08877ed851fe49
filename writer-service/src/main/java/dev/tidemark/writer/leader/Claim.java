package dev.tidemark.writer.leader;

import java.time.Instant;

/**
 * The claim of a process to be the writer of its deployment from now on.
 *
 * @param process an identity that the process made when it started
 * @param directory an identity of its data directory, which no copy of the directory shares
 * @param place host, process number and path of the data directory, for people
 * @param at when it was claimed, by the clock of the process
 * @param leastEpoch the first epoch in which this data directory may give versions, because a writer of another one may
 *     have given any before it; 0 where there was none
 */
public record Claim(String process, String directory, String place, Instant at, long leastEpoch) {
    /**
     * This claim, made where another one was the last. What a claim of another data directory leaves to do stands in
     * every later claim of this one, because a process may end before it is done.
     *
     * @param epoch the last epoch of the fact tables of this data directory
     */
    Claim after(Claim former, long epoch) {
        long least =
                former.directory().equals(directory) ? former.leastEpoch() : Math.max(epoch, former.leastEpoch()) + 1;
        return new Claim(process, directory, place, at, Math.max(leastEpoch, least));
    }
}
