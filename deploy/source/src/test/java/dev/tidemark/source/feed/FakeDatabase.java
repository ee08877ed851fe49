package dev.tidemark.source.feed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A database in memory, whose stream says which columns its rows have. */
final class FakeDatabase implements Database {
    /** Whether changes of the table {@code public.items} come with the former key. */
    boolean sendsKeys = true;

    final List<String> published = new ArrayList<>();
    final List<String> marked = new ArrayList<>();
    String server = "7";

    @Override
    public Position.Identity identity() {
        return new Position.Identity(server, 1);
    }

    @Override
    public Optional<Slot> slot() {
        return Optional.of(new Slot(100, false, false, Optional.empty()));
    }

    @Override
    public void publish(Collection<String> tables) {
        published.addAll(tables);
    }

    @Override
    public void prepareSnapshot() {}

    @Override
    public boolean canAddTables() {
        return true;
    }

    @Override
    public Optional<String> prepareAdding(Collection<String> all, long base) {
        publish(all);
        return Optional.empty();
    }

    @Override
    public Optional<String> lost(String offset) {
        return Optional.empty();
    }

    @Override
    public boolean streamsColumns() {
        return true;
    }

    @Override
    public List<String> oddities(Collection<String> tables) {
        return List.of();
    }

    @Override
    public Columns columns(Collection<String> tables) {
        Columns.Column id = new Columns.Column("public.items", "integer", false, 0, "1", false, sendsKeys);
        return new Columns(new TreeMap<>(Map.of("public.items.id", id)), Map.of(), Set.of());
    }

    @Override
    public Map<String, Long> estimates(Collection<String> tables) {
        return Map.of();
    }

    @Override
    public void mark(byte[] content) {
        marked.add(new String(content, StandardCharsets.UTF_8));
    }
}
