package dev.tidemark.worker.group;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShardRoutesTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final ShardId SHARD = new ShardId("people", 1);

    private final List<Owner> noted = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private final List<String> tables = new ArrayList<>(List.of("people", "films"));
    private final Set<String> unread = new HashSet<>();
    private ShardRoutes routes = routes(new WorkerIdentity(URI.create("http://self:1"), "self", ""));

    @Test
    void isNotTakenForAloneBeforeItHasReadTheNotes() throws InterruptedException {
        assertThat(routes.isAlone("people")).isFalse();
        assertThat(routes.isKnown()).isFalse();
        assertThat(routes.isKnown("people")).isFalse();
        read();
        assertThat(routes.isAlone("people")).isTrue();
        assertThat(routes.isKnown()).isTrue();
        assertThat(routes.isKnown("people")).isTrue();
        assertThat(routes.isKnown("dropped")).isTrue();
        assertThat(routes.isAlone("not defined yet")).isFalse();
    }

    @Test
    void readsTheNotesOfATableThatHasJustBeenDefinedOnceTheyAreAskedFor() throws InterruptedException {
        read();
        tables.add("cities");
        assertThat(routes.isKnown("cities")).isFalse();
        routes.agent().doWork();
        assertThat(routes.isKnown("cities")).isTrue();
    }

    @Test
    void doesNotKnowTheNotesOfATableBeforeEachGroupWithMembersIsRead() throws InterruptedException {
        unread.add("b");
        note("http://other:1", "other", "a", true, 1);
        read();
        assertThat(routes.isKnown()).isFalse();
        assertThat(routes.isKnown("films")).isFalse();
        assertThat(routes.isAlone("films")).isFalse();
        assertThat(urls()).as("what was read is used").containsExactly("http://other:1");

        unread.clear();
        read();
        assertThat(routes.isKnown()).isTrue();

        unread.add("b");
        tables.add("cities");
        read();
        assertThat(routes.isKnown("films")).as("its notes of before are there").isTrue();
        assertThat(routes.isKnown("cities")).isFalse();
    }

    @Test
    void aMemberOfItsOwnGroupAnswersBeforeTheGroupIsKnownToHaveMembers() throws InterruptedException {
        noted.add(new Owner(SHARD, "a", false, noteOf("http://own:1", "own", 7)));
        noted.add(new Owner(SHARD, "b", false, noteOf("http://other:1", "other", 8)));
        read();
        assertThat(routes.serves(SHARD, 7)).contains(true);
        assertThat(routes.serves(SHARD, 8)).contains(false);
    }

    @Test
    void isAloneUntilAnotherWorkerHasSomethingOfTheTable() throws InterruptedException {
        note("http://self:1", "self", "a", true, 1);
        read();
        assertThat(routes.isAlone("people")).isTrue();
        assertThat(routes.of(SHARD)).isEmpty();
        assertThat(routes.others()).isEmpty();

        note("http://other:1", "other", "b", true, 1);
        read();
        assertThat(routes.isAlone("people")).isFalse();
        assertThat(routes.isAlone("films")).isTrue();
        assertThat(routes.others()).containsExactly(URI.create("http://other:1"));
        assertThat(routes.groupMembers()).isEmpty();
    }

    @Test
    void prefersTheOwnReplicaGroupThenTheFreshestAndAGroupWithoutMembersLast() throws InterruptedException {
        note("http://gone:1", "gone", "c", false, 9);
        note("http://fresh:1", "fresh", "b", true, 8);
        note("http://stale:1", "stale", "d", true, 2);
        note("http://own:1", "own", "a", true, 1);
        read();
        assertThat(urls()).containsExactly("http://own:1", "http://fresh:1", "http://stale:1", "http://gone:1");
    }

    @Test
    void leavesOutNotesWhoseAddressIsNone() throws InterruptedException {
        note("http:x", "opaque", "a", true, 9);
        note("http:///x", "nowhere", "a", true, 9);
        note("http://host:70000", "port", "a", true, 9);
        note("http://own:1", "own", "a", true, 1);
        read();
        assertThat(urls()).containsExactly("http://own:1");
        assertThat(routes.groupMembers()).containsExactly(URI.create("http://own:1"));
    }

    @Test
    void prefersTheOwnRackToTheOwnReplicaGroupWhereTheWorkerKnowsItsRack() throws InterruptedException {
        noted.add(owner("http://own:1", "own", "a", "west"));
        noted.add(owner("http://near:1", "near", "b", "east"));
        noted.add(owner("http://far:1", "far", "c", "west"));
        routes = routes(new WorkerIdentity(URI.create("http://self:1"), "self", "east"));
        read();
        assertThat(urls()).containsExactly("http://near:1", "http://own:1", "http://far:1");

        routes = routes(new WorkerIdentity(URI.create("http://self:1"), "self", ""));
        read();
        assertThat(urls()).containsExactly("http://own:1", "http://near:1", "http://far:1");
    }

    @Test
    void aNoteOfItsOwnFromAnotherRackIsStillItsOwn() throws InterruptedException {
        noted.add(owner("http://self:1", "self", "a", "east"));
        routes = routes(new WorkerIdentity(URI.create("http://self:1"), "self", "west"));
        read();
        assertThat(routes.isAlone("people")).isTrue();
    }

    @Test
    void asksASilentWorkerLastUntilItNotesSomethingNew() throws InterruptedException {
        note("http://own:1", "own", "a", true, 1);
        note("http://other:1", "other", "b", true, 1);
        read();
        routes.suspect(routes.of(SHARD).get(0));
        assertThat(urls()).containsExactly("http://other:1", "http://own:1");

        noted.clear();
        note("http://own:1", "own", "a", true, 2);
        note("http://other:1", "other", "b", true, 2);
        read();
        assertThat(urls()).containsExactly("http://own:1", "http://other:1");
    }

    @Test
    void theFilesOfAShardMayBeWithItsOwnersOrWithTheRestOfTheReplicaGroup() throws InterruptedException {
        note("http://self:1", "self", "a", true, 1);
        note("http://fresh:1", "fresh", "b", true, 8);
        note("http://gone:1", "gone", "c", false, 9);
        ShardId another = new ShardId("films", 7);
        Progress progress = new Progress(TIME, new RowVersion(1, 1));
        noted.add(new Owner(
                another, "a", true, new OffsetNote(progress, URI.create("http://own:1"), "own", new TreeSet<>())));
        noted.add(new Owner(
                another, "d", true, new OffsetNote(progress, URI.create("http://other:1"), "other", new TreeSet<>())));
        read();
        assertThat(routes.holders(SHARD)).containsExactly(URI.create("http://fresh:1"), URI.create("http://own:1"));
    }

    @Test
    void aWorkerWithACertificateAsksNobodyWithoutOne() throws InterruptedException {
        ShardRoutes secured = routes(new WorkerIdentity(URI.create("https://self:1"), "self", ""));
        note("http://other:1", "other", "b", true, 1);
        note("https://another:1", "another", "b", true, 1);
        secured.agent().doWork();
        assertThat(secured.others()).containsExactly(URI.create("https://another:1"));
    }

    private ShardRoutes routes(WorkerIdentity self) {
        return new ShardRoutes(
                self, "a", new InMemoryOwnerSource(noted, Set.of(), unread), () -> tables, clock, () -> {});
    }

    private void note(String url, String instance, String group, boolean live, long second) {
        Progress progress = new Progress(TIME.plusSeconds(second), new RowVersion(1, second));
        OffsetNote note = new OffsetNote(progress, URI.create(url), instance, new TreeSet<>());
        noted.add(new Owner(SHARD, group, live, note));
    }

    private static OffsetNote noteOf(String url, String instance, long generation) {
        Progress progress = new Progress(TIME, new RowVersion(1, 1));
        return new OffsetNote(progress, URI.create(url), instance, new TreeSet<>(Set.of(generation)));
    }

    private static Owner owner(String url, String instance, String group, String rack) {
        Progress progress = new Progress(TIME, new RowVersion(1, 1));
        return new Owner(
                SHARD, group, true, new OffsetNote(progress, URI.create(url), instance, new TreeSet<>(), rack));
    }

    private void read() throws InterruptedException {
        clock.advance(Duration.ofSeconds(1));
        routes.agent().doWork();
    }

    private List<String> urls() {
        return routes.of(SHARD).stream()
                .map(owner -> owner.note().url().toString())
                .toList();
    }
}
