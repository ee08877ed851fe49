package dev.tidemark.source.topic;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.source.feed.Follower;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.ReloadException;
import dev.tidemark.source.feed.Writer;

/**
 * Reads topics again and again: decides where to begin, takes the source over from any other process by the first
 * batch, and begins again after failures. A step is one poll.
 */
public final class TopicFollower implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(10);

    private final Writer writer;
    private final Topics topics;
    private final Envelope envelope;
    private final boolean exactlyOnce;
    private final Progress progress;
    private final Clock clock;
    private @Nullable Run run;
    private volatile Follower.@Nullable Ending ending;
    private String complaint = "";

    /** Why the next run has to read all records. */
    private Optional<String> reload = Optional.empty();

    /**
     * A follower.
     *
     * @param envelope reads the records
     * @param exactlyOnce whether the topics are written in transactions, so that markers prove something
     */
    public TopicFollower(
            Writer writer, Topics topics, Envelope envelope, boolean exactlyOnce, Progress progress, Clock clock) {
        this.writer = writer;
        this.topics = topics;
        this.envelope = envelope;
        this.exactlyOnce = exactlyOnce;
        this.progress = progress;
        this.clock = clock;
    }

    /** What is under way. */
    private static final class Run {
        private final TopicFeeder feeder;
        private final Topics.Reading reading;
        private final Proof proof;

        /** Proves when all that was there was read. */
        private final Proof reached = new Proof();

        /** Where partitions ended when all records began to be read. */
        private final Map<Topics.Place, Long> goal;

        /** The watermark that the writer has from before. */
        private final Optional<Instant> floor;

        private Instant looked;

        Run(
                TopicFeeder feeder,
                Topics.Reading reading,
                Proof proof,
                Map<Topics.Place, Long> goal,
                Optional<Instant> floor,
                Instant looked) {
            this.feeder = feeder;
            this.reading = reading;
            this.proof = proof;
            this.goal = goal;
            this.floor = floor;
            this.looked = looked;
        }
    }

    /** Why the process has to end; empty while it may go on. */
    public Optional<Follower.Ending> ending() {
        return Optional.ofNullable(ending);
    }

    @Override
    public String roleName() {
        return "source";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (ending != null) {
            return 0;
        }
        try {
            Run current = run;
            if (current == null) {
                begin(writer.state());
            } else {
                step(current);
                complaint = "";
            }
            return 1;
        } catch (InterruptedException e) {
            throw e;
        } catch (ReloadException e) {
            reload = Optional.ofNullable(e.getMessage());
        } catch (Writer.MovedException e) {
            end(ServiceProcess.REPLACED, String.valueOf(e.getMessage()));
        } catch (LostException e) {
            end(
                    Follower.Ending.LOST,
                    "changes are lost: " + e.getMessage()
                            + ". Have Debezium write complete topics, and give the source another name in the catalog");
        } catch (Writer.NothingToKeepException e) {
            endUnsent("the writer has no value of it: " + e.getMessage());
        } catch (UnsentException e) {
            endUnsent(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            LOGGER.debug("A run failed", e);
            complain(e instanceof Topics.TopicsException ? String.valueOf(e.getMessage()) : e.toString());
        }
        onClose();
        return 0;
    }

    private void end(int code, String why) {
        ending = new Follower.Ending(code, why);
    }

    /** No other start helps while the record is there. */
    private void endUnsent(String why) {
        end(
                ServiceProcess.BAD_INPUT,
                "a record lacks a column that did not change, and " + why
                        + ". Give the table REPLICA IDENTITY FULL. Then have Debezium read it again with an incremental"
                        + " snapshot, and start the source once compaction has removed the record; or have Debezium"
                        + " write the topics again, and give the source another name in the catalog. A longer"
                        + " min.compaction.lag.ms helps later records only");
    }

    /** Reports a failure once for as long as it lasts. */
    private void complain(String why) {
        if (!why.equals(complaint)) {
            progress.warn(why + "; trying again");
            complaint = why;
        }
    }

    private void begin(Writer.State state) throws Exception {
        if (state.tables().isEmpty()) {
            throw new Topics.TopicsException(writer.nothingToFollow());
        }
        JsonNode known = state.position();
        if (known.isObject() && !TopicPosition.isOne(known)) {
            end(
                    Follower.Ending.LOST,
                    "the rows came from a database itself, and topics have other positions. Name the source anew");
            return;
        }
        Optional<TopicPosition> stored =
                Optional.of(known).filter(JsonNode::isObject).map(TopicPosition::of);
        Topics.Found found = topics.look();
        TopicStart start = TopicStart.decide(stored, state, found).orLoad(reload, found);
        if (start.lost().isPresent()) {
            throw new LostException(start.lost().get());
        }
        boolean load = start.load().isPresent();
        if (load) {
            progress.began(start.load().get(), found.sizes());
        }
        Map<String, Writer.Origin> origins = Writer.Origin.of(state.tables());
        TopicPosition position = load
                ? takeOver(known, TopicPosition.beginning(found, state.time(), origins))
                : stored.orElseThrow()
                        .knowing(origins)
                        .resumed(found.compacted().keySet(), state.time());
        Proof proof = new Proof();
        TopicFeeder feeder = new TopicFeeder(
                writer, state.bySource(), envelope, proof::see, progress, position, load ? position.toJson() : known);
        feeder.isCompacted(found.compacted(), state.time());
        if (load && !found.compacted().isEmpty()) {
            feeder.beginLoad();
        }
        run = new Run(
                feeder,
                topics.read(new HashMap<>(position.offsets())),
                proof,
                load ? found.ends() : Map.of(),
                state.watermark(),
                clock.instant());
        reload = Optional.empty();
        progress.started(load);
    }

    /** Takes the source over. From now on the watermark is about no table, because rows go back in time. */
    private TopicPosition takeOver(JsonNode known, TopicPosition position) throws Exception {
        Optional<List<String>> none = Optional.of(List.of());
        String first = writer.takeOver(known, position.toJson(), none);
        TopicPosition loading = position.loading(first);
        writer.move(position.toJson(), loading.toJson(), none);
        return loading;
    }

    private void step(Run current) throws Exception {
        List<Topics.Message> messages = current.reading.poll();
        Map<Topics.Place, Long> positions = current.reading.positions();
        current.feeder.take(messages, positions);
        Optional<String> loading = current.feeder.position().loading();
        if (loading.isPresent()) {
            if (Proof.isReached(positions, current.goal)) {
                current.feeder.endLoad(loading.get());
            }
            return;
        }
        if (current.proof.needsEnds() || clock.instant().isAfter(current.looked.plus(LOOK_INTERVAL))) {
            look(current);
            if (run == null) {
                return;
            }
        }
        current.reached.proven(positions).ifPresent(current.feeder::isCurrent);
        prove(current, positions);
    }

    /** Notices what is no longer as it was when the run began. */
    private void look(Run current) throws Exception {
        current.looked = clock.instant();
        Writer.State state = writer.state();
        Topics.Found found = topics.look();
        TopicStart start = TopicStart.decide(Optional.of(current.feeder.position()), state, found);
        if (start.load().isPresent() || start.lost().isPresent()) {
            onClose();
            return;
        }
        // Where records always come, the ends are reached by a later step.
        current.reached.see(state.time());
        current.feeder.isCompacted(found.compacted(), state.time());
        if (current.reached.needsEnds()) {
            current.reached.begin(found.ends());
            current.feeder.beginProof();
        }
        if (current.proof.needsEnds()) {
            current.proof.begin(found.ends());
        }
    }

    private void prove(Run current, Map<Topics.Place, Long> positions) throws Exception {
        Optional<Instant> proven = current.proof.proven(positions);
        if (!exactlyOnce || proven.isEmpty()) {
            return;
        }
        if (proven.get().isAfter(writer.state().time())) {
            progress.warn("a marker of " + proven.get() + " is later than the writer's clock, so it has another clock;"
                    + " the watermark stands still");
            return;
        }
        boolean covers =
                current.floor.map(floor -> !proven.get().isBefore(floor)).orElse(true);
        current.feeder.prove(proven.get(), covers);
    }

    /** Ends the run, on the thread of the source. */
    @Override
    public void onClose() {
        Run ended = run;
        run = null;
        if (ended != null) {
            ended.reading.close();
            progress.stopped();
        }
    }
}
