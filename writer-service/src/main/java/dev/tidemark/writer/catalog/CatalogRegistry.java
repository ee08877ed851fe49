package dev.tidemark.writer.catalog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.SourceChange;
import dev.tidemark.row.BadInputException;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * The one place where definitions are changed. Of two changes made from the same version one wins; what is visible is
 * saved. Nothing is changed before it is known what was published in the past, because that may be later than what is
 * stored. For any thread.
 */
public final class CatalogRegistry {
    private static final Logger LOGGER = LoggerFactory.getLogger(CatalogRegistry.class);

    private static final String UNSETTLED =
            "nothing was changed: the store of the definitions failed at an earlier change, and cannot be read yet to"
                    + " find out whether it has that change. Send the request again in a moment";

    /** Versions kept, so that a client with an outdated version gets the changes made since. */
    private static final int REMEMBERED = 32;

    private final DefinitionStore store;
    private final Catalog file;

    /** The names of all tables that may have topics. */
    private final Set<String> tables;

    private final Clock clock;
    private final PublishingState publishing;
    private final Duration patience;
    private final NavigableMap<Long, Definitions> recent = new TreeMap<>();
    private volatile InForce inForce;

    /** Whether the store may hold other definitions than those in force, because it failed when it saved some. */
    private volatile boolean inDoubt;

    private final AtomicBoolean settling = new AtomicBoolean();

    private volatile Enforcement enforcement = limit -> true;

    /** The definitions in force, and all tables: those of the file without a version yet are among them. */
    private record InForce(Definitions definitions, Catalog catalog) {}

    /** The next definitions, made from those in force; the same ones when there is nothing to change. */
    @FunctionalInterface
    public interface Change {
        Definitions from(Definitions present, Instant at) throws BadInputException;
    }

    /** Knows when definitions that came into force hold for every write that is committed. */
    @FunctionalInterface
    public interface Enforcement {
        /**
         * Waits until no write is committed any more that was checked by the definitions in force before this call.
         *
         * @return false when that is not so within the patience
         */
        boolean await(Duration patience) throws InterruptedException;
    }

    private CatalogRegistry(
            DefinitionStore store,
            Catalog file,
            Set<String> tables,
            Definitions current,
            Clock clock,
            Duration patience) {
        this.store = store;
        this.file = file;
        this.tables = Set.copyOf(tables);
        this.clock = clock;
        this.patience = patience;
        this.publishing = new PublishingState(patience);
        this.inForce = withFile(current);
        remember(current);
    }

    /**
     * Opens the desk. What is stored is in force; the catalog file counts the first time only, and for tables that are
     * not stored yet. Those get their generations once it is known which numbers were given in the past.
     *
     * @param tables the names of all tables that the writer ever had: the topic of one that has left stays
     * @param patience how long a change waits until it is known what was published, then until it is enforced, and then
     *     until it is published
     * @throws BadDefinitionsException when the file is too large or has a table that can get no topic, or what is
     *     stored cannot be read
     */
    public static CatalogRegistry open(
            DefinitionStore store, Catalog file, Set<String> tables, Clock clock, Duration patience)
            throws BadDefinitionsException {
        Optional<Definitions> stored = store.load();
        Definitions present = DefinitionsJson.canonical(stored.orElseGet(() -> Definitions.first(file, now(clock))));
        if (present.deployment().isEmpty()) {
            present = present.of(UUID.randomUUID().toString());
        }
        if (!stored.equals(Optional.of(present))) {
            store.save(present);
            WriterFailpoint.DEFINE_SAVED.hit();
        }
        List<String> collisions = present.collisions(file);
        if (!collisions.isEmpty()) {
            throw new BadDefinitionsException("the catalog file cannot be used: " + String.join("; ", collisions));
        }
        Definitions whole = DefinitionsJson.canonical(present.withNewTables(file, tables, now(clock)));
        for (IndexChange change : whole.diff(file)) {
            LOGGER.warn(
                    "Version {} of the definitions is in force, and the catalog file differs from it: it would {} {}."
                            + " Bring the file in force with tidemark apply -f FILE",
                    present.version(),
                    change.action(),
                    change.index().qualifiedName());
        }
        for (SourceChange change : whole.sourceChanges(file)) {
            LOGGER.warn(
                    "Version {} of the definitions is in force, and by the catalog file table {} would follow {}, and"
                            + " not {}. Bring the file in force with tidemark apply -f FILE",
                    present.version(),
                    change.table(),
                    change.to().map(RowSource::toString).orElse("no source"),
                    change.from().map(RowSource::toString).orElse("no source"));
        }
        return new CatalogRegistry(store, file, tables, present, clock, patience);
    }

    /** The definitions in force. */
    public Definitions current() {
        return inForce.definitions();
    }

    /** All tables with their indexes; the same object until something changes. */
    public Catalog catalog() {
        return inForce.catalog();
    }

    /**
     * Why a table takes no writes yet; empty when it takes some. The partitions of a new table of the file are not
     * certain before it is known whether the table was published in the past.
     */
    public Optional<String> refusal(String table) {
        return publishing.isConfirmed() || current().table(table).isPresent()
                ? Optional.empty()
                : Optional.of("table " + table + " is new, and the definitions that were published are not known yet: "
                        + publishing.trouble().orElse("they are being read"));
    }

    /** Has each change wait from now on, before it is answered, until it is enforced. */
    public void enforcedBy(Enforcement committing) {
        enforcement = committing;
    }

    /** How publishing goes. */
    public PublishingState publishing() {
        return publishing;
    }

    /**
     * Waits until it is known what was published in the past, and it is in force where it is later.
     *
     * @throws UnconfirmedException when it is not known yet after the patience of this desk, or nothing can be
     *     published
     */
    public void awaitConfirmed() throws UnconfirmedException, InterruptedException {
        publishing.awaitConfirmed();
    }

    /**
     * The definitions in force. Where the store failed at a change, what it holds now comes into force first, as at a
     * restart.
     *
     * @throws UnconfirmedException when the store still fails
     */
    public Definitions settled() throws UnconfirmedException {
        if (inDoubt) {
            settle();
        }
        return current();
    }

    /**
     * The definitions that {@link #settled()} returns, which must be of a version.
     *
     * @throws VersionMovedException when another version is in force
     */
    public synchronized Definitions inForce(long expected) throws VersionMovedException, UnconfirmedException {
        Definitions present = settled();
        if (present.version() != expected) {
            Definitions base = recent.get(expected);
            throw new VersionMovedException(expected, present.version(), base == null ? List.of() : base.diff(present));
        }
        return present;
    }

    /** The change that brings a catalog in force. */
    public Change to(Catalog wanted) {
        return (present, at) -> present.changed(wanted, tables, at);
    }

    /**
     * Makes a change, once {@link #awaitConfirmed()} lets it, and waits until it is published. Each write that is
     * committed after this returns obeys it.
     *
     * @param expected the version that the change was made from
     * @return the definitions in force afterwards, on disk
     * @throws VersionMovedException when another version is in force; nothing was changed
     * @throws BadInputException what the change throws; nothing was changed
     * @throws UnconfirmedException as {@link #awaitConfirmed()} and {@link #settled()}; or the change was made and is
     *     not enforced or published yet; or it may have been stored, and comes into force if it was
     */
    public Definitions change(long expected, Change change)
            throws VersionMovedException, BadInputException, UnconfirmedException, InterruptedException {
        awaitConfirmed();
        Definitions next;
        boolean changes;
        synchronized (this) {
            Definitions present = inForce(expected);
            next = DefinitionsJson.canonical(change.from(present, now(clock)));
            changes = !next.equals(present);
            if (changes) {
                save(next);
            }
        }
        if (!enforcement.await(patience)) {
            throw new UnconfirmedException("version " + next.version()
                    + " of the definitions is on disk and in force at the writer, but a commit that began"
                    + " before has not ended, and its rows may not obey this version. Do not send the change again");
        }
        if (changes) {
            publishing.awaitPublished(next.version());
        }
        return next;
    }

    /**
     * Takes over definitions that this deployment published, where they are later than those stored here: the data
     * directory was put back to an older state, and no version and no generation may be given twice.
     *
     * @return why they cannot be taken over; empty when they are, or are not later
     */
    synchronized Optional<String> adopt(Definitions published) {
        Definitions present = current();
        if (published.version() < present.version() || published.equals(present)) {
            return Optional.empty();
        }
        if (published.version() == present.version()) {
            return Optional.of("another writer of this deployment published another version " + present.version());
        }
        Definitions all = published.withNewTables(catalog(), tables, now(clock));
        List<String> foreign = new ArrayList<>(all.foreign(catalog()));
        foreign.addAll(published.collisions(catalog()));
        all.leaving(catalog()).forEach(table -> foreign.add("the catalog file lacks table " + table));
        if (!foreign.isEmpty()) {
            return Optional.of("version " + published.version()
                    + " was published before, and does not go with the catalog file: " + String.join("; ", foreign));
        }
        LOGGER.warn(
                "Version {} of the definitions was published before, and version {} is stored here: the data directory"
                        + " was put back. What was published is in force",
                published.version(),
                present.version());
        putInForce(published);
        return Optional.empty();
    }

    /**
     * It is known what was published in the past, and {@link #adopt} has seen it: the new tables of the file come into
     * force. That is so once; a table that leaves afterwards does not come back before the next start.
     *
     * @throws BadDefinitionsException when they are too much together with what was published
     */
    synchronized void confirm() throws BadDefinitionsException {
        if (!publishing.isConfirmed()) {
            Definitions whole = DefinitionsJson.canonical(current().withNewTables(file, tables, now(clock)));
            if (!whole.equals(current())) {
                putInForce(whole);
            }
        }
        publishing.confirm();
    }

    /** The secret of this deployment, as hexadecimal digits. */
    public String secret() {
        return store.secret();
    }

    private void save(Definitions next) throws UnconfirmedException {
        try {
            putInForce(next);
        } catch (RuntimeException e) {
            LOGGER.warn("Version {} of the definitions may be stored, or not", next.version(), e);
            throw new UnconfirmedException(
                    "the store of the definitions failed at version " + next.version()
                            + ", which may be stored all the same."
                            + " See which version is in force before you send the change again",
                    false);
        }
    }

    private void settle() throws UnconfirmedException {
        // One asks a store that may not answer for long; others do not wait for that.
        if (!settling.compareAndSet(false, true)) {
            throw new UnconfirmedException(UNSETTLED);
        }
        try {
            settleAlone();
        } catch (RuntimeException | BadDefinitionsException e) {
            LOGGER.debug("The store of the definitions still fails", e);
            throw new UnconfirmedException(UNSETTLED);
        } finally {
            settling.set(false);
        }
    }

    private synchronized void settleAlone() throws BadDefinitionsException {
        if (inDoubt) {
            // Saved again even where it is in force: a write that failed may still reach the disk.
            putInForce(store.load().orElseThrow());
        }
    }

    private void putInForce(Definitions next) {
        try {
            store.save(next);
        } catch (RuntimeException | Error e) {
            inDoubt = true;
            throw e;
        }
        WriterFailpoint.DEFINE_SAVED.hit();
        remember(next);
        inForce = withFile(next);
        inDoubt = false;
        LOGGER.info("Version {} of the definitions is in force", next.version());
    }

    /** Once the tables of the file are in force, one that is not has left. */
    private InForce withFile(Definitions definitions) {
        Definitions all =
                publishing.isConfirmed() ? definitions : definitions.withNewTables(file, tables, definitions.at());
        return new InForce(definitions, all.catalog());
    }

    private void remember(Definitions definitions) {
        recent.put(definitions.version(), definitions);
        if (recent.size() > REMEMBERED) {
            recent.pollFirstEntry();
        }
    }

    private static Instant now(Clock clock) {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
