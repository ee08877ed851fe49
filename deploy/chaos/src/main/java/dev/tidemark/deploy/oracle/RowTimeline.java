package dev.tidemark.deploy.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;

/**
 * The states that one row had or could have, and when, according to the requests of its only client and the answers.
 * After a write without an answer more than one state is possible, until a later answer decides.
 *
 * <p>Its client asks for one write at a time. Any thread may ask what was possible. Times are those of the client's
 * process.
 */
public final class RowTimeline {
    private static final String NO_ROW = "no row";

    private final String key;
    private final List<String> complaints = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private String floor = "";
    private boolean settled = true;

    /** The first step whose state may have been committed once more. */
    private int recommitted = Integer.MAX_VALUE;

    /** Whether a step is the table going back to a copy, and whether others had seen what is lost by it. */
    private enum Loss {
        NONE,
        UNSEEN,
        SEEN
    }

    /** A write that was asked for, or the table going back to a copy. */
    private static final class Step {
        private final Write write;
        private final Instant invoked;
        private Map<String, Optional<ObjectNode>> after;
        private Instant done = Instant.MAX;

        /** Of the row afterwards; empty for no row, and where it is not known. */
        private String version = "";

        /** That the write has made, for a delete as well. */
        private String made = "";

        private Loss loss = Loss.NONE;

        Step(Write write, Instant invoked, Map<String, Optional<ObjectNode>> after) {
            this.write = write;
            this.invoked = invoked;
            this.after = after;
        }
    }

    /**
     * A state in which the row may be seen.
     *
     * @param row empty for no row
     * @param version of the row; empty when not known
     * @param orLater whether the row may have any later version too
     */
    public record State(Optional<ObjectNode> row, String version, boolean orLater) {
        /** A state with one version. */
        public State(Optional<ObjectNode> row, String version) {
            this(row, version, false);
        }

        /** The version that an answer may show which shows this one. */
        String versionIn(String answered) {
            boolean later = version.isEmpty() || (orLater && answered.compareTo(version) > 0);
            return later ? answered : version;
        }
    }

    /** The timeline of a row that is not there yet. */
    public RowTimeline(String key) {
        this.key = key;
        Step never = new Step(Write.delete(key), Instant.MIN, texts(Optional.empty()));
        never.done = Instant.MIN;
        steps.add(never);
    }

    /**
     * A write is about to be sent.
     *
     * @return its number, which the report of its outcome refers to
     */
    public synchronized int invoked(Write write, Instant at) {
        Map<String, Optional<ObjectNode>> either = new TreeMap<>(last().after);
        either.putAll(applied(write, last().after));
        steps.add(new Step(write, at, either));
        return steps.size() - 1;
    }

    /**
     * It was done.
     *
     * @param version that it made; empty when unknown
     * @param created whether there was no row before; empty when unknown
     */
    public synchronized void acknowledged(int number, Instant at, String version, Optional<Boolean> created) {
        Step step = steps.get(number);
        Step before = steps.get(number - 1);
        created.ifPresent(absent -> narrow(before, !absent, "the answer to a " + step.write.kind()));
        step.after = applied(step.write, before.after);
        step.done = at;
        step.version = step.write.kind() == Write.Kind.DELETE ? "" : version;
        step.made = version;
        String newest = settled || number < lastLoss() ? newestVersionBefore(number) : newestSince(lastLoss(), number);
        if (!version.isEmpty() && version.compareTo(newest) <= 0) {
            complaints.add("version " + version + " was made after " + newest);
        }
    }

    /** It was answered that there is no row; nothing was done. */
    public synchronized void absent(int number, Instant at) {
        Step step = steps.get(number);
        narrow(steps.get(number - 1), false, "the 404 to a " + step.write.kind());
        step.after = texts(Optional.empty());
        step.done = at;
    }

    /** It was answered that nothing was done. */
    public synchronized void failed(int number) {
        Step step = steps.get(number);
        step.after = steps.get(number - 1).after;
        step.version = steps.get(number - 1).version;
    }

    /**
     * The table goes back to a copy, and this row to what it was then. What is lost may be shown, and the row have any
     * version, until {@link #settled(Instant)}. No write may be under way at either time.
     *
     * @param copied when the copy was made
     * @param at when the table went back to it
     * @param seen whether others had seen all that is lost, so that versions must go on above it
     * @return whether an acknowledged write is lost
     */
    public synchronized boolean putBack(Instant copied, Instant at, boolean seen) {
        Map<String, Optional<ObjectNode>> copy = new TreeMap<>();
        from(lastDoneBy(copied), copied).forEach(state -> copy.putAll(texts(state.row())));
        boolean lost = steps.stream().anyMatch(step -> step.done.isAfter(copied) && !step.done.equals(Instant.MAX));
        Step back = new Step(Write.delete(key), at, copy);
        back.loss = seen ? Loss.SEEN : Loss.UNSEEN;
        steps.add(back);
        settled = false;
        return lost;
    }

    /**
     * From a time on until {@link #settled(Instant)}, the writer may commit the row once more as it is, with a version
     * that no client receives.
     */
    public synchronized void mayBeRecommitted(Instant from) {
        recommitted = Math.min(recommitted, lastDoneBy(from));
    }

    /** Records that all services are consistent again after the table went back, or rows were committed once more. */
    public synchronized void settled(Instant at) {
        floor = newestVersionBefore(steps.size());
        for (int i = firstOfUnknownVersion(); i < steps.size(); i++) {
            Step step = steps.get(i);
            step.version = "";
            step.done = step.loss == Loss.NONE ? step.done : at;
        }
        settled = true;
        recommitted = Integer.MAX_VALUE;
    }

    /** The states in which an answer may show the row that holds everything up to a time and nothing after another. */
    public synchronized List<State> between(Instant completeUpTo, Instant end) {
        return from(lastDoneBy(completeUpTo), end);
    }

    /** The same for an answer that must hold a write. */
    public synchronized List<State> since(int number, Instant completeUpTo, Instant end) {
        return from(Math.max(number, lastDoneBy(completeUpTo)), end);
    }

    /** How many states the row may have now. */
    public synchronized int possible() {
        return last().after.size();
    }

    /** Returns what is wrong with the fact table's row when no client writes any more; empty when nothing is. */
    public synchronized List<String> complaintsAbout(@Nullable Fact fact) {
        List<String> all = new ArrayList<>(complaints);
        String found = fact == null ? NO_ROW : Canonical.text(fact.row());
        String newest = newestVersionBefore(steps.size());
        if (!last().after.containsKey(found)) {
            all.add("found " + found + ", but it can only be " + last().after.keySet());
        } else if (fact != null && fact.version().compareTo(newest) < 0) {
            all.add("has version " + fact.version() + ", but " + newest + " was acknowledged");
        } else if (fact != null
                && firstOfUnknownVersion() == Integer.MAX_VALUE
                && !last().version.isEmpty()
                && !last().version.equals(fact.version())) {
            all.add("has version " + fact.version() + " though the last write, acknowledged, made " + last().version);
        }
        return all.stream().map(complaint -> key + ": " + complaint).toList();
    }

    /**
     * The fact table had this row while no client wrote, which {@link #complaintsAbout} has found nothing wrong with.
     * So of the states that were possible last, it is this one.
     */
    public synchronized void found(@Nullable Fact fact) {
        String found = fact == null ? NO_ROW : Canonical.text(fact.row());
        last().after = new TreeMap<>(last().after);
        last().after.keySet().retainAll(List.of(found));
    }

    private List<State> from(int first, Instant end) {
        List<State> states = new ArrayList<>();
        int unknown = settled ? Integer.MAX_VALUE : lastLoss();
        for (int i = first; i < steps.size() && !steps.get(i).invoked.isAfter(end); i++) {
            Step step = steps.get(i);
            String version = i < unknown ? step.version : "";
            boolean orLater = i >= recommitted;
            step.after.values().forEach(row -> states.add(new State(row, version, orLater)));
        }
        return states;
    }

    private int lastDoneBy(Instant time) {
        int last = steps.size() - 1;
        while (last > 0 && steps.get(last).done.isAfter(time)) {
            last--;
        }
        return last;
    }

    private String newestVersionBefore(int number) {
        String newest = floor;
        for (int i = number - 1; i > 0 && steps.get(i).loss != Loss.UNSEEN; i--) {
            String made = steps.get(i).made;
            newest = made.compareTo(newest) > 0 ? made : newest;
        }
        return newest;
    }

    private String newestSince(int first, int number) {
        String newest = "";
        for (int i = first; i < number; i++) {
            newest = steps.get(i).made.isEmpty() ? newest : steps.get(i).made;
        }
        return newest;
    }

    private int firstOfUnknownVersion() {
        return settled ? recommitted : Math.min(recommitted, lastLoss());
    }

    private int lastLoss() {
        int last = steps.size() - 1;
        while (last > 0 && steps.get(last).loss == Loss.NONE) {
            last--;
        }
        return last;
    }

    private Step last() {
        return steps.get(steps.size() - 1);
    }

    private void narrow(Step step, boolean present, String where) {
        Map<String, Optional<ObjectNode>> left = new TreeMap<>(step.after);
        left.values().removeIf(row -> row.isPresent() != present);
        if (left.isEmpty()) {
            complaints.add(where + " says that there is " + (present ? "a row" : NO_ROW) + ", but it can only be "
                    + step.after.keySet());
        } else {
            step.after = left;
        }
    }

    private static Map<String, Optional<ObjectNode>> applied(Write write, Map<String, Optional<ObjectNode>> before) {
        Map<String, Optional<ObjectNode>> after = new TreeMap<>();
        before.values().forEach(row -> after.putAll(texts(write.after(row))));
        return after;
    }

    private static Map<String, Optional<ObjectNode>> texts(Optional<ObjectNode> row) {
        return Map.of(row.map(Canonical::text).orElse(NO_ROW), row);
    }

    /**
     * A write that a client asked for.
     *
     * @param kind what to do
     * @param key the row's primary key
     * @param body the row or the patch; an empty object for a delete
     */
    public record Write(Kind kind, String key, ObjectNode body) {

        /** What a write does. */
        public enum Kind {
            PUT,
            PATCH,
            DELETE
        }

        public static Write put(String key, ObjectNode row) {
            return new Write(Kind.PUT, key, row);
        }

        public static Write patch(String key, ObjectNode patch) {
            return new Write(Kind.PATCH, key, patch);
        }

        public static Write delete(String key) {
            return new Write(Kind.DELETE, key, RowJson.mapper().createObjectNode());
        }

        /** What the row is after the write, given what it was; empty for no row. */
        public Optional<ObjectNode> after(Optional<ObjectNode> before) {
            return switch (kind) {
                case PUT -> Optional.of(body);
                case PATCH -> before.map(row -> merged(row, body));
                case DELETE -> Optional.empty();
            };
        }

        /** RFC 7396. */
        private static ObjectNode merged(JsonNode row, JsonNode patch) {
            ObjectNode result =
                    row.isObject() ? row.deepCopy() : RowJson.mapper().createObjectNode();
            for (Map.Entry<String, JsonNode> field : patch.properties()) {
                if (field.getValue().isNull()) {
                    result.remove(field.getKey());
                } else if (field.getValue().isObject()) {
                    result.set(field.getKey(), merged(result.path(field.getKey()), field.getValue()));
                } else {
                    result.set(field.getKey(), field.getValue());
                }
            }
            return result;
        }
    }
}
