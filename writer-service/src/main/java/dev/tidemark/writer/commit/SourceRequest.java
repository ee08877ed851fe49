package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeWeight;

/**
 * The next changes of a source, which are committed with its new position: all of them, or nothing. A row that is to be
 * deleted and is not there, or has become too new for that, is in the way of nothing.
 *
 * @param source its name
 * @param followers the fact tables that follow the source, each with the version of the definitions with which it began
 *     to
 * @param after the position before the changes, as the source knows it; empty for the first changes
 * @param position the position after them
 * @param watermark as {@link SourcePosition#watermark()}; empty where the source has no later one
 * @param covered fact tables that the watermark is about from now on; empty for those that it was about before
 * @param parts the changes, each table once
 * @param lenient whether rows are taken that an index cannot hold; the index lists them as refused
 */
public record SourceRequest(
        String source,
        Map<String, Long> followers,
        Optional<ObjectNode> after,
        ObjectNode position,
        Optional<Instant> watermark,
        Optional<Set<String>> covered,
        List<WriteRequest> parts,
        boolean lenient)
        implements CommitRequest {
    private static final long OWN_BYTES = 1_024;

    public SourceRequest {
        followers = Map.copyOf(followers);
        covered = covered.map(Set::copyOf);
        parts = List.copyOf(parts);
    }

    /** Whether it goes on from a position. */
    boolean isAfter(Optional<SourcePosition> stored) {
        JsonNode before = stored.<JsonNode>map(SourcePosition::position).orElse(null);
        return after.isPresent() ? before != null && SourcePosition.isSame(before, after.get()) : before == null;
    }

    /**
     * Whether a delete is only for rows from before a version, and rows got such a version or a later one that the
     * source has not sent.
     */
    boolean sweepsAcross(RowVersion restated) {
        return parts.stream()
                .flatMap(part -> part.commands().stream())
                .map(WriteCommand::precondition)
                .anyMatch(condition -> condition instanceof Precondition.IfBefore before
                        && !before.version().isAfter(restated));
    }

    /**
     * Whether it would put a later watermark than its own on a table: it names one that the stored watermark is not
     * about.
     */
    boolean overstates(Optional<SourcePosition> stored) {
        Optional<Instant> former = stored.flatMap(SourcePosition::watermark);
        if (former.isEmpty()
                || watermark.filter(time -> !time.isBefore(former.get())).isPresent()) {
            return false;
        }
        Map<String, Long> known = stored.get().tables();
        return covered.stream()
                .flatMap(Set::stream)
                .anyMatch(name -> !Objects.equals(known.get(name), followers.get(name)));
    }

    /** The position to store. A watermark never goes back: the earlier statement remains true. */
    SourcePosition from(Optional<SourcePosition> stored) {
        Optional<Instant> former = stored.flatMap(SourcePosition::watermark);
        Optional<Instant> latest = watermark.isPresent() && former.isPresent()
                ? watermark.filter(time -> time.isAfter(former.get())).or(() -> former)
                : watermark.or(() -> former);
        return new SourcePosition(
                position,
                latest,
                tablesFrom(stored),
                stored.map(SourcePosition::restated).orElse(RowVersion.NONE));
    }

    private Map<String, Long> tablesFrom(Optional<SourcePosition> stored) {
        if (covered.isEmpty()) {
            return stored.map(SourcePosition::tables).orElse(followers);
        }
        return covered.get().stream().collect(Collectors.toMap(name -> name, followers::get));
    }

    @Override
    public Set<String> tables() {
        return followers.keySet();
    }

    @Override
    public long bytes() {
        return TreeWeight.of(position)
                + parts.stream().mapToLong(WriteRequest::bytes).sum();
    }

    @Override
    public long heapBytes() {
        return OWN_BYTES
                + TreeWeight.of(position)
                + parts.stream().mapToLong(WriteRequest::heapBytes).sum();
    }
}
