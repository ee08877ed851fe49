package dev.tidemark.worker.rocks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.Leftovers;
import dev.tidemark.worker.store.ShardId;

/**
 * The directories of shards, {@code <root>/<table>-<partition>}. A directory is moved aside before its files go, so
 * that what an interrupted removal leaves is never taken for a shard, and a shard that is opened meanwhile finds none.
 */
final class ShardDirectories implements Leftovers {
    private static final Pattern SHARD = Pattern.compile("([a-z][a-z0-9_]*)-(0|[1-9]\\d{0,8})");
    private static final String ASIDE = ".dropped-";

    private final Path root;
    private final Set<ShardId> inUse = new HashSet<>();
    private final Set<Path> beingRemoved = ConcurrentHashMap.newKeySet();

    ShardDirectories(Path root) {
        this.root = root;
    }

    /** The directory of a shard. */
    Path of(ShardId id) {
        return root.resolve(id.toString());
    }

    /** The shard's directory is in use until it is released, and stays where it is. */
    void take(ShardId id) {
        synchronized (inUse) {
            inUse.add(id);
        }
    }

    /** The shard's directory is not in use any more. */
    void release(ShardId id) {
        synchronized (inUse) {
            inUse.remove(id);
        }
    }

    /** Removes the directory of a shard that is not in use; nothing where there is none. */
    void drop(ShardId id) {
        if (!dropUnused(id)) {
            throw new IllegalStateException("Expected shard " + id + " to be closed before it is removed");
        }
    }

    @Override
    public List<Leftover> find() {
        List<Leftover> found = new ArrayList<>();
        try (Stream<Path> children = Files.exists(root) ? Files.list(root) : Stream.empty()) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                String name = child.getFileName().toString();
                Optional<ShardId> shard = shard(name);
                boolean isAside = name.startsWith(ASIDE) && !beingRemoved.contains(child);
                if (isAside || shard.filter(id -> !isInUse(id)).isPresent()) {
                    found.add(measured(child, shard));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to list " + root + ", but " + e, e);
        }
        return found;
    }

    @Override
    public boolean remove(Leftover leftover) {
        if (leftover.shard().isPresent()) {
            return dropUnused(leftover.shard().get());
        }
        removeAside(root.resolve(leftover.name()));
        return true;
    }

    private boolean isInUse(ShardId id) {
        synchronized (inUse) {
            return inUse.contains(id);
        }
    }

    private boolean dropUnused(ShardId id) {
        Path aside = root.resolve(ASIDE + id + "-" + UUID.randomUUID());
        beingRemoved.add(aside);
        try {
            synchronized (inUse) {
                if (inUse.contains(id)) {
                    return false;
                }
                if (Files.exists(of(id))) {
                    Files.move(of(id), aside, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            removeAside(aside);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to remove " + of(id) + ", but " + e, e);
        } finally {
            beingRemoved.remove(aside);
        }
    }

    private static void removeAside(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to remove " + directory + ", but " + e, e);
        }
    }

    private static Optional<ShardId> shard(String name) {
        Matcher shard = SHARD.matcher(name);
        return shard.matches()
                ? Optional.of(new ShardId(shard.group(1), Integer.parseInt(shard.group(2))))
                : Optional.empty();
    }

    /** Measures a directory; files that go meanwhile count for nothing. */
    private static Leftover measured(Path directory, Optional<ShardId> shard) {
        List<File> files = filesIn(directory.toFile()).toList();
        long bytes = files.stream().filter(File::isFile).mapToLong(File::length).sum();
        long lastWritten = files.stream().mapToLong(File::lastModified).max().orElse(0);
        return new Leftover(directory.getFileName().toString(), shard, bytes, Instant.ofEpochMilli(lastWritten));
    }

    private static Stream<File> filesIn(File file) {
        File[] inside = file.listFiles();
        Stream<File> below =
                inside == null ? Stream.empty() : Arrays.stream(inside).flatMap(ShardDirectories::filesIn);
        return Stream.concat(Stream.of(file), below);
    }
}
