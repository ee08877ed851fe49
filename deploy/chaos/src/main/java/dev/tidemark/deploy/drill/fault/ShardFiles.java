package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of a worker's shards, while it is dead. */
record ShardFiles(Path data) {
    private static final String MARK = "CURRENT";

    /**
     * Removes a log or a table file.
     *
     * @return what was removed; empty where there is nothing to remove
     */
    Optional<Path> loseOne(Random random) {
        String ending = random.nextBoolean() ? ".log" : ".sst";
        List<Path> found = walk(file ->
                file.getFileName().toString().endsWith(ending) && file.toFile().length() > 0);
        return pick(found, random).map(ShardFiles::removed);
    }

    /** Removes a whole shard. */
    Optional<Path> loseShard(Random random) {
        List<Path> shards = walk(file -> file.getFileName().toString().equals(MARK));
        return pick(shards, random).map(Path::getParent).map(ShardFiles::removed);
    }

    private static Optional<Path> pick(List<Path> found, Random random) {
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(random.nextInt(found.size())));
    }

    private List<Path> walk(Predicate<Path> wanted) {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(wanted).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path removed(Path gone) {
        try (Stream<Path> files = Files.walk(gone)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
            return gone;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
