package dev.tidemark.writer.define;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.row.BadInputException;

/**
 * The one place where definitions are changed. Of two changes made from the same version one wins; what is visible is
 * saved. Nothing is changed before it is known what was published in the past, because that may be later than what is
 * stored. For any thread.
 */
public final class DefinitionDesk {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionDesk.class);

    /** Versions remembered to tell who comes too late what was changed meanwhile. */
    private static final int REMEMBERED = 32;

    private final DefinitionStore store;
    private final Clock clock;
    private final Duration patience;
    private final CountDownLatch confirmed = new CountDownLatch(1);
    private final NavigableMap<Long, Definitions> recent = new TreeMap<>();
    private volatile Definitions current;
    private volatile String obstacle = "it is being read";

    /** The next definitions, made from those in force; the same ones when there is nothing to change. */
    @FunctionalInterface
    public interface Change {
        Definitions from(Definitions present, Instant at) throws BadInputException;
    }

    private DefinitionDesk(DefinitionStore store, Definitions current, Clock clock, Duration patience) {
        this.store = store;
        this.clock = clock;
        this.patience = patience;
        this.current = current;
        remember(current);
    }

    /**
     * Opens the desk. What is stored is in force; the catalog file counts the first time only, and for tables that are not
     * stored yet.
     *
     * @param patience how long a change waits until it is known what was published
     * @throws BadDefinitionsException when the file is too large
     */
    public static DefinitionDesk open(DefinitionStore store, Catalog file, Clock clock, Duration patience)
            throws BadDefinitionsException {
        Optional<Definitions> stored = store.load();
        Definitions whole =
                DefinitionsJson.canonical(stored.map(definitions -> definitions.withNewTables(file, now(clock)))
                        .orElseGet(() -> Definitions.first(file, now(clock))));
        if (!stored.equals(Optional.of(whole))) {
            store.save(whole);
        }
        for (IndexChange change : whole.diff(file)) {
            LOGGER.warn(
                    "Version {} of the definitions is in force, and the catalog file differs from it: it would {} {}. Bring"
                            + " the file in force with tidemark apply -f FILE",
                    whole.version(),
                    change.action(),
                    change.index().qualifiedName());
        }
        return new DefinitionDesk(store, whole, clock, patience);
    }

    /** The definitions in force. */
    public Definitions current() {
        return current;
    }

    /**
     * Waits until it is known what was published in the past, and it is in force where it is later.
     *
     * @throws UnconfirmedException when it is not known yet after the patience of this desk
     */
    public void awaitConfirmed() throws UnconfirmedException, InterruptedException {
        if (!confirmed.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new UnconfirmedException(obstacle);
        }
    }

    /**
     * The definitions in force, which must be of a version.
     *
     * @throws VersionMovedException when another version is in force
     */
    public synchronized Definitions inForce(long expected) throws VersionMovedException {
        Definitions present = current;
        if (present.version() != expected) {
            Definitions base = recent.get(expected);
            throw new VersionMovedException(
                    expected, present.version(), base == null ? List.of() : base.diff(present.catalog()));
        }
        return present;
    }

    /**
     * Makes a change, once {@link #awaitConfirmed()} lets it.
     *
     * @param expected the version that the change was made from
     * @return the definitions in force afterwards, on disk
     * @throws VersionMovedException when another version is in force; nothing was changed
     * @throws BadInputException what the change throws; nothing was changed
     * @throws UnconfirmedException as {@link #awaitConfirmed()}; nothing was changed
     */
    public Definitions change(long expected, Change change)
            throws VersionMovedException, BadInputException, UnconfirmedException, InterruptedException {
        awaitConfirmed();
        synchronized (this) {
            Definitions present = inForce(expected);
            Definitions next = DefinitionsJson.canonical(change.from(present, now(clock)));
            if (!next.equals(present)) {
                putInForce(next);
            }
            return next;
        }
    }

    /**
     * Takes over definitions that were published by this writer before its data directory was put back to an older state,
     * so that no version and no generation is given twice; tables that are only here are added to them. Older ones, and
     * those of other tables, are left alone.
     *
     * @return whether they are in force now
     */
    synchronized boolean adopt(Definitions published) throws BadDefinitionsException {
        Definitions present = current;
        Definitions whole = DefinitionsJson.canonical(published.withNewTables(present.catalog(), now(clock)));
        boolean later = published.version() > present.version()
                || (published.version() == present.version() && !published.equals(present));
        boolean usable = later && whole.foreign(present.catalog()).isEmpty();
        if (usable) {
            LOGGER.warn(
                    "Version {} of the definitions was published before, and version {} is stored here: the data directory"
                            + " was put back. What was published is in force",
                    published.version(),
                    present.version());
            putInForce(whole);
        }
        return usable;
    }

    /** What was published in the past is known, and was offered to {@link #adopt(Definitions)} if there was anything. */
    void confirm() {
        confirmed.countDown();
    }

    /** Why it is not known yet what was published in the past. */
    void cannotConfirm(String reason) {
        obstacle = reason;
    }

    private void putInForce(Definitions next) {
        store.save(next);
        remember(next);
        current = next;
        LOGGER.info("Version {} of the definitions is in force", next.version());
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
