package dev.tidemark.worker.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/**
 * The last record of a page of the quarantine. It is named by its offset and not by its key, for not everybody who may
 * list records may read keys.
 */
record QuarantineCursor(ShardId shard, long offset) {
    private static final Pattern TEXT = Pattern.compile("(.{1,255})-(\\d{1,9})-(\\d{1,18})");

    /** As {@link #text} gave it. */
    static QuarantineCursor parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new ProblemException(
                    Problem.badRequest("expected a cursor that an answer gave as next, but got " + text));
        }
        ShardId shard = new ShardId(parts.group(1), Integer.parseInt(parts.group(2)));
        return new QuarantineCursor(shard, Long.parseLong(parts.group(3)));
    }

    String text() {
        return shard + "-" + offset;
    }

    /**
     * How many records of the shard were listed. None where the record is no longer there, so that others are listed
     * twice rather than never.
     */
    long listed(ShardView view) {
        long[] walked = new long[1];
        boolean[] found = new boolean[1];
        view.quarantine(record -> {
            walked[0]++;
            found[0] = record.offset() == offset;
            return !found[0];
        });
        return found[0] ? walked[0] : 0;
    }
}
