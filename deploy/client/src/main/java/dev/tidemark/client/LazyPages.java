package dev.tidemark.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Pages that follow each other by cursors, each read when it is taken.
 *
 * @param <P> type of a page
 */
final class LazyPages<P> implements Iterator<P> {
    private final Function<Optional<String>, P> read;
    private final Function<P, Optional<String>> next;
    private Optional<String> cursor = Optional.empty();
    private boolean more = true;

    private LazyPages(Function<Optional<String>, P> read, Function<P, Optional<String>> next) {
        this.read = read;
        this.next = next;
    }

    /**
     * The pages as a stream in one thread.
     *
     * @param read reads the page at a cursor, or the first
     * @param next the cursor behind a page
     */
    static <P> Stream<P> stream(Function<Optional<String>, P> read, Function<P, Optional<String>> next) {
        Iterator<P> pages = new LazyPages<>(read, next);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED), false);
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public P next() {
        if (!more) {
            throw new NoSuchElementException();
        }
        P page = read.apply(cursor);
        cursor = next.apply(page);
        more = cursor.isPresent();
        return page;
    }
}
