package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryBackfillSource;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class ForecastAgentTest {
    private static final String WANTED = """
        tables:
          films:
            primaryKey: id
            partitions: 1
            indexes:
              by_actor: { key: [{field: cast, each: true}], projection: [title] }
              by_year:  { key: [year], projection: keys_only }
              by_title: { key: [title], projection: keys_only }
          people:
            primaryKey: id
            partitions: 4
            indexes:
              by_town: { key: [town, name], projection: keys_only }
              whole:   { key: [name], projection: all }
        """;

    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final Definitions present = Definitions.first(Tables.catalog(), ChangeLog.START);
    private final ForecastJobs jobs = new ForecastJobs(0);
    private final MemoryBudget.Part memory = new MemoryBudget(64 << 20).part("builds", 1);
    private final InMemoryTopic topic = new InMemoryTopic();
    private final ForecastAgent agent = new ForecastAgent(
            jobs, () -> present, () -> topic, memory, table -> CostBasis.of(Optional.empty(), 1), clock);

    @Test
    void forecastsWhatIsNewAndWhatChangesAndNothingElse() throws Exception {
        log.put(1, film(1)).put(2, film(2)).heartbeat(3);
        ForecastJob forecastJob = ask(Tables.catalog(WANTED));
        work();

        List<TableForecast> tables = done(forecastJob).tables();
        assertThat(tables).extracting(TableForecast::table).containsExactly("films");
        assertThat(tables.get(0).rows()).isEqualTo(2);
        assertThat(tables.get(0).indexes())
                .extracting(index ->
                        index.change().action() + " " + index.change().index().name() + " " + index.entries())
                .containsExactly("change by_year 2", "create by_title 2");
        assertThat(topic.closed).isEqualTo(1);
        IndexForecast first = tables.get(0).indexes().get(0);
        assertThat(jobs.forecast(first.change().index())).contains(new ForecastJobs.Kept(tables.get(0), first));
    }

    @Test
    void tellsHowFarItIsWhileItReads() throws Exception {
        log.put(1, film(1)).put(2, film(2));
        ForecastJob forecastJob = ask(Tables.catalog(WANTED));
        List<ForecastJob.State> seen = new ArrayList<>();
        topic.beforePoll = () -> seen.add(state(forecastJob));
        work();

        assertThat(seen).containsExactly(new ForecastJob.Waiting(), new ForecastJob.Reading("films", 1, 2));
    }

    @Test
    void aCatalogThatChangesNothingNeedsNoReading() throws Exception {
        ForecastJob forecastJob = ask(Tables.catalog());
        work();

        assertThat(done(forecastJob).tables()).isEmpty();
    }

    @Test
    void aTopicThatBringsNothingMoreFailsTheRehearsalAndNotTheAgent() throws Exception {
        log.put(1, film(1)).put(2, film(2));
        topic.stuckAt = 1;
        ForecastJob forecastJob = ask(Tables.catalog(WANTED));
        topic.beforePoll = () -> clock.advance(Duration.ofSeconds(31));
        agent.doWork();

        assertThat(state(forecastJob))
                .isInstanceOfSatisfying(
                        ForecastJob.Failed.class,
                        failed -> assertThat(failed.reason()).contains("films", "1 of 2 passed"));
        topic.stuckAt = Long.MAX_VALUE;
        ForecastJob again = ask(Tables.catalog(WANTED));
        work();
        assertThat(done(again).tables()).hasSize(1);
    }

    @Test
    void aPartitionThatCannotBeReadFailsTheForecastAtOnce() throws Exception {
        log.put(1, film(1)).put(2, film(2));
        topic.stuckAt = 1;
        topic.broken = Map.of(new ShardId("films", 0), "its batch is damaged");
        ForecastJob forecastJob = ask(Tables.catalog(WANTED));
        agent.doWork();

        assertThat(state(forecastJob))
                .isInstanceOfSatisfying(
                        ForecastJob.Failed.class,
                        failed -> assertThat(failed.reason()).contains("films-0", "its batch is damaged"));
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void takesNoMoreRequestsThanItCanKeepInSight() {
        for (int i = 0; i < ForecastJobs.MOST_WAITING; i++) {
            ask(Tables.catalog());
        }

        assertThat(jobs.ask(Tables.catalog(), 1, 1)).isEmpty();
    }

    @Test
    void keepsTheLastRehearsalsOnly() throws Exception {
        ForecastJob first = ask(Tables.catalog());
        work();
        for (int i = 0; i < ForecastJobs.KEPT; i++) {
            ask(Tables.catalog());
            work();
        }

        assertThat(jobs.find(first.id())).isEmpty();
        assertThat(jobs.find(first.id() + 1)).isPresent();
    }

    private ForecastJob ask(Catalog wanted) {
        return jobs.ask(wanted, 1, 1).orElseThrow();
    }

    private void work() throws InterruptedException {
        for (int steps = 0; agent.doWork() > 0; steps++) {
            assertThat(steps).isLessThan(1_000);
        }
    }

    private ForecastJob.State state(ForecastJob forecastJob) {
        return jobs.find(forecastJob.id()).orElseThrow().state();
    }

    private ForecastJob.Done done(ForecastJob forecastJob) {
        return (ForecastJob.Done) state(forecastJob);
    }

    private static String film(int id) {
        return "{\"id\":" + id + ",\"title\":\"film " + id + "\",\"year\":1979}";
    }

    /** The topic of films, a record a poll. */
    private final class InMemoryTopic implements BackfillSource {
        private final InMemoryBackfillSource records = new InMemoryBackfillSource(log, 1);
        private int polls;
        private int closed;
        private long stuckAt = Long.MAX_VALUE;
        private Map<ShardId, String> broken = Map.of();
        private Runnable beforePoll = () -> {};

        @Override
        public void read(Map<ShardId, Long> from) {
            polls = 0;
            records.read(from);
        }

        @Override
        public void rest(Collection<ShardId> resting) {
            records.rest(resting);
        }

        @Override
        public PolledBatches poll(Duration patience, long bytes) {
            assertThat(bytes).as("a quarter of what is reserved").isEqualTo(memory.reserved() / 4);
            beforePoll.run();
            return polls++ >= stuckAt ? new PolledBatches(Map.of(), Map.of(), broken) : records.poll(patience, bytes);
        }

        @Override
        public long startOffset(ShardId shard) {
            return records.startOffset(shard);
        }

        @Override
        public long endOffset(ShardId shard) {
            return records.endOffset(shard);
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
