package dev.tidemark.change;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Headers of one record in two arrays. A record has less than ten of them, so looking at each is no slower than
 * hashing, and records with the same names share the array of names. Immutable.
 */
public final class CompactHeaders extends AbstractMap<String, String> {
    private final String[] names;
    private final String[] texts;

    /**
     * Headers in arrays of the same length, which belong to them from now on.
     *
     * @param names each only once
     */
    public CompactHeaders(String[] names, String[] texts) {
        if (names.length != texts.length) {
            throw new IllegalArgumentException(
                    "expected a text for each of " + names.length + " names, but got " + texts.length);
        }
        this.names = names;
        this.texts = texts;
    }

    /** Returns the same headers as an unmodifiable map. */
    static Map<String, String> copyOf(Map<String, String> headers) {
        return headers instanceof CompactHeaders ? headers : Map.copyOf(headers);
    }

    @Override
    public @Nullable String get(@Nullable Object name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return texts[i];
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return get(name) != null;
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        Set<Entry<String, String>> entries = new LinkedHashSet<>();
        for (int i = 0; i < names.length; i++) {
            entries.add(Map.entry(names[i], texts[i]));
        }
        return Collections.unmodifiableSet(entries);
    }
}
