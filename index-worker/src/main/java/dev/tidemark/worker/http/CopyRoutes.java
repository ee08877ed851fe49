package dev.tidemark.worker.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.http.BodyChunks;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.copy.CopyRefusedException;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.store.ShardId;

/**
 * Gives copies of shards to other workers. A file is read once for its checksum while the list is sent, then range by
 * range as it is asked for.
 */
public record CopyRoutes(HeldCopies copies) {
    static final String COPIES = "/v1/peer/copies";

    private static final Pattern SHARD = Pattern.compile("([a-z][a-z0-9_.]*)-(0|[1-9]\\d{0,8})");
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");

    List<Route> routes() {
        return List.of(
                Route.post(COPIES, Permission.PEER, this::begin).reading("shard"),
                Route.get(COPIES + "/{id}/{part}", Permission.PEER, this::read),
                Route.delete(COPIES + "/{id}", Permission.PEER, call -> {
                    copies.release(call.pathParam("id"));
                    call.status(204);
                }));
    }

    /** The shard that parameter {@code shard} names. */
    static ShardId shard(Call call) {
        String name = Requests.parameter(call, "shard").orElse("");
        Matcher shard = SHARD.matcher(name);
        if (!shard.matches()) {
            throw new ProblemException(
                    Problem.badRequest("expected parameter shard to be like films-3, but got " + name));
        }
        return new ShardId(shard.group(1), Integer.parseInt(shard.group(2)));
    }

    private void begin(Call call) throws CopyRefusedException {
        HeldCopies.Offer offer = copies.begin(shard(call));
        call.contentType("application/x-ndjson").result(new Lines(copies, offer));
    }

    private void read(Call call) throws IOException, CopyRefusedException {
        String copy = call.pathParam("id");
        String file = call.pathParam("part");
        Matcher range = RANGE.matcher(String.valueOf(call.header("Range")));
        if (!range.matches()) {
            throw new ProblemException(Problem.badRequest(
                    "expected header Range to be like bytes=0-1023, but got " + call.header("Range")));
        }
        call.reserveAnswer(HeldCopies.MOST_BYTES);
        long from = Long.parseLong(range.group(1));
        ByteBuffer bytes = copies.read(copy, file, from, Long.parseLong(range.group(2)) - from + 1);
        call.status(206)
                .header(
                        "Content-Range",
                        "bytes " + from + "-" + (from + bytes.remaining() - 1) + "/" + copies.length(copy, file))
                .contentType("application/octet-stream")
                .result(bytes);
    }

    /** The lines of a list. A thread sums one file, and does something else until the line before it is sent. */
    private static final class Lines implements BodyChunks {
        private final HeldCopies copies;
        private final HeldCopies.Offer offer;
        private final Iterator<String> files;
        private Optional<ObjectNode> head;

        Lines(HeldCopies copies, HeldCopies.Offer offer) {
            this.copies = copies;
            this.offer = offer;
            this.files = offer.files().keySet().iterator();
            this.head = Optional.of(CopyCodec.line(offer));
        }

        @Override
        public @Nullable ByteBuffer next() throws Exception {
            if (head.isPresent()) {
                ByteBuffer line = line(head.get());
                head = Optional.empty();
                return line;
            }
            return files.hasNext()
                    ? line(CopyCodec.line(copies.summed(offer.head().copy(), files.next())))
                    : null;
        }

        private static ByteBuffer line(ObjectNode json) {
            byte[] text = RowJson.write(json);
            return ByteBuffer.allocate(text.length + 1)
                    .put(text)
                    .put((byte) '\n')
                    .flip();
        }

        @Override
        public void close() {
            // The copy stays for who has the list, and is removed when it is not asked for.
        }
    }
}
