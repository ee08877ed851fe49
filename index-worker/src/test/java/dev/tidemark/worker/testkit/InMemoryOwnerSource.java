package dev.tidemark.worker.testkit;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.OwnerSource;

/**
 * Reads notes from memory.
 *
 * @param owners what is noted; may change
 * @param silent replica groups with members that have noted nothing; may change
 * @param unread replica groups with members that cannot be read; may change
 */
public record InMemoryOwnerSource(List<Owner> owners, Set<String> silent, Set<String> unread) implements OwnerSource {
    /** Each group with members has noted something. */
    public InMemoryOwnerSource(List<Owner> owners) {
        this(owners, Set.of(), Set.of());
    }

    @Override
    public Reading read(Collection<String> tables) {
        Stream<String> noted = owners.stream().filter(Owner::live).map(Owner::replicaGroup);
        return new Reading(
                List.copyOf(owners),
                Stream.of(noted, silent.stream(), unread.stream())
                        .flatMap(groups -> groups)
                        .collect(Collectors.toSet()),
                unread.isEmpty());
    }
}
