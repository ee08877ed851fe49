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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.Leftovers;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardId;

/**
 * The directories of shards, {@code <root>/<table>-<partition>}. A directory is moved aside before its files go, so
 * that what an interrupted removal leaves is never taken for a shard, and a shard that is opened meanwhile finds none.
 */
final class ShardDirectories implements Leftovers {
    private static final Pattern SHARD = Pattern.compile("([a-z][a-z0-9_.]*)-(0|[1-9]\\d{0,8})");
    private static final String ASIDE = ".dropped-";
    private static final String ARRIVING = ".arriving-";
    private static final String KEPT = ".kept-";

    /** Where RocksDB makes a copy, behind the name of the place to which it moves it once it is whole. */
    private static final String STAGED = ".tmp";

    private final Path root;

    /** Guards itself. Directories that are in use are not found, and stay where they are. */
    private final Set<Path> inUse = new HashSet<>();

    ShardDirectories(Path root) {
        this.root = root;
    }

    /** The directory of a shard. */
    Path of(ShardId id) {
        return root.resolve(id.toString());
    }

    /** A directory is in use until it is released; false where it is already. */
    boolean take(Path directory) {
        synchronized (inUse) {
            return inUse.add(directory);
        }
    }

    /** A directory is not in use any more. */
    void release(Path directory) {
        synchronized (inUse) {
            inUse.remove(directory);
        }
    }

    /** Removes the directory of a shard that is not in use; nothing where there is none. */
    void drop(ShardId id) {
        if (!remove(of(id))) {
            throw new IllegalStateException("Expected shard " + id + " to be closed before it is removed");
        }
    }

    @Override
    public List<Leftover> find() {
        List<Leftover> found = new ArrayList<>();
        try (Stream<Path> children = Files.exists(root) ? Files.list(root) : Stream.empty()) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                String name = child.getFileName().toString();
                Optional<ShardId> shard = shard(name.startsWith(KEPT) ? name.substring(KEPT.length()) : name);
                boolean isUnfinished = name.startsWith(ASIDE) || name.startsWith(ARRIVING);
                if ((isUnfinished || shard.isPresent()) && !isInUse(child)) {
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
        return remove(root.resolve(leftover.name()));
    }

    private boolean isInUse(Path directory) {
        String name = directory.getFileName().toString();
        synchronized (inUse) {
            return inUse.contains(directory)
                    || (name.endsWith(STAGED)
                            && inUse.contains(
                                    directory.resolveSibling(name.substring(0, name.length() - STAGED.length()))));
        }
    }

    /**
     * Makes a copy of a directory that is not in use, from links to its tables, which never change.
     *
     * @param to the directory of the copy, which must be absent
     * @return false where there is no such directory
     * @throws ShardClosedException when it is in use
     */
    boolean copy(ShardId id, Path to) {
        synchronized (inUse) {
            if (isInUse(of(id))) {
                throw new ShardClosedException("shard " + id + " is just being opened or closed");
            }
            if (!Files.exists(of(id))) {
                return false;
            }
            try {
                PrivateFiles.createDirectories(to);
                for (String name : ShardFileNames.in(of(id))) {
                    Path file = of(id).resolve(name);
                    if (ShardFileNames.isTable(name)) {
                        Files.createLink(to.resolve(name), file);
                    } else {
                        Files.copy(file, to.resolve(name));
                    }
                }
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException("Expected to copy " + of(id) + " to " + to + ", but " + e, e);
            }
        }
    }

    /** Makes the directory into which a copy of a shard is taken, which stays until {@link #arrived}. */
    Path arriving(ShardId id) {
        Path arriving = root.resolve(ARRIVING + id);
        take(arriving);
        try {
            PrivateFiles.createDirectories(arriving);
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to make " + arriving + ", but " + e, e);
        }
        return arriving;
    }

    /** A copy of a shard is whole and takes the place of what was there. */
    void arrived(ShardId id) {
        if (!replace(of(id), Optional.of(root.resolve(ARRIVING + id)))) {
            throw new IllegalStateException("Expected shard " + id + " to be closed before it is replaced");
        }
    }

    /** No copy of a shard is under way any more. */
    void notArriving(ShardId id, boolean remove) {
        Path arriving = root.resolve(ARRIVING + id);
        try {
            if (remove) {
                removeAside(arriving);
            }
        } finally {
            release(arriving);
        }
    }

    /** Where what is kept of a shard is, beside it. */
    Path kept(ShardId id) {
        return root.resolve(KEPT + id);
    }

    /** Where a copy of a shard is made that is to be kept. What an interrupted one left goes. */
    Path keeping(ShardId id) {
        Path copy = beingKept(id);
        take(copy);
        removeAside(copy);
        return copy;
    }

    private Path beingKept(ShardId id) {
        return root.resolve(ASIDE + "kept-" + id);
    }

    /** The copy is whole, and is kept from now on; or it is not, and goes. */
    void kept(ShardId id, boolean whole) {
        Path copy = beingKept(id);
        try {
            if (whole) {
                Files.move(copy, kept(id), StandardCopyOption.ATOMIC_MOVE);
                PrivateFiles.sync(root);
            } else {
                removeAside(copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to keep " + copy + ", but " + e, e);
        } finally {
            release(copy);
        }
    }

    /** Removes what is kept of a shard and is not in use. */
    void dropKept(ShardId id) {
        if (!remove(kept(id))) {
            throw new IllegalStateException("Expected what is kept of shard " + id + " to be closed before it goes");
        }
    }

    private boolean remove(Path directory) {
        return replace(directory, Optional.empty());
    }

    /** Moves a directory aside, puts another one in its place, and removes it; false where it is in use. */
    private boolean replace(Path directory, Optional<Path> by) {
        String name = directory.getFileName().toString();
        // What is aside already loses its name, which would grow at each try until it was too long.
        Path aside = root.resolve(ASIDE + (name.startsWith(ASIDE) ? "" : name + "-") + UUID.randomUUID());
        take(aside);
        try {
            synchronized (inUse) {
                if (isInUse(directory)) {
                    return false;
                }
                if (Files.exists(directory)) {
                    Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
                }
                if (by.isPresent()) {
                    Files.move(by.get(), directory, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            if (by.isPresent()) {
                PrivateFiles.sync(root);
            }
            removeAside(aside);
            return true;
        } catch (IOException e) {
            String what = by.isPresent() ? "replace " : "remove ";
            throw new UncheckedIOException("Expected to " + what + directory + ", but " + e, e);
        } finally {
            release(aside);
        }
    }

    private static void removeAside(Path directory) {
        try {
            PrivateFiles.removeDirectory(directory);
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
