package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.runtime.PrivateFiles;

/**
 * Where a service keeps its data.
 *
 * @param fileSystem its type, such as ext4
 * @param freeBytes what the user of this process may still write
 * @param problem why this process cannot write and sync there; empty where it can
 * @param stranger who owns the directory; empty where that is the user of this process, or it is not there yet
 * @param openToOthers whether other users of the machine have access
 * @param holder the process that uses the directory; 0 for one that this process does not see
 */
record DataPlace(
        Path path,
        String fileSystem,
        long freeBytes,
        Optional<String> problem,
        Optional<String> stranger,
        boolean openToOthers,
        Optional<Long> holder) {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final String UID = "unix:uid";
    private static final long LEAST_FREE = 128L << 20;

    /** Looks at a data directory, or at the directory in which it will be made. */
    static DataPlace at(Path directory) {
        Path existing = directory;
        while (!Files.exists(existing)) {
            existing = Objects.requireNonNull(existing.getParent(), "the root exists");
        }
        boolean there = existing.equals(directory);
        try {
            FileStore store = Files.getFileStore(existing);
            Trial trial = there ? tried(existing) : new Trial(creatable(existing), Optional.empty());
            return new DataPlace(
                    directory,
                    store.type().toLowerCase(Locale.ROOT),
                    store.getUsableSpace(),
                    trial.problem(),
                    trial.stranger(),
                    there && PrivateFiles.isOpenToOthers(existing),
                    holder(directory.resolve("process.lock")));
        } catch (IOException e) {
            return new DataPlace(
                    directory, "", 0, Optional.of(e.toString()), Optional.empty(), false, Optional.empty());
        }
    }

    /** Without making it: it would belong to the user of this process, not to that of the service. */
    private static Optional<String> creatable(Path parent) {
        return Files.isDirectory(parent) && Files.isWritable(parent)
                ? Optional.empty()
                : Optional.of("it is not there, and may not be made in " + parent);
    }

    /** The result of writing there. */
    private record Trial(Optional<String> problem, Optional<String> stranger) {}

    private static Trial tried(Path directory) {
        try {
            Path probe = Files.createTempFile(directory, "doctor", ".tmp");
            try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(1));
                channel.force(true);
                // By numbers: in a container, the user may have no name.
                boolean own = Files.getAttribute(probe, UID).equals(Files.getAttribute(directory, UID));
                Optional<String> owner = Optional.of(Files.getOwner(directory).getName());
                return new Trial(Optional.empty(), owner.filter(name -> !own));
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            return new Trial(Optional.of(e.toString()), Optional.empty());
        }
    }

    /** From the kernel's list, because taking the lock would keep a service from its start. */
    private static Optional<Long> holder(Path lock) {
        if (!Files.exists(lock) || !Files.isReadable(LOCKS)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(LOCKS)) {
            String inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
            return lines.filter(line -> line.contains(inode))
                    .map(line -> Long.parseLong(line.strip().split("\\s+", 6)[4]))
                    .findFirst();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Judges it.
     *
     * @param wanted free bytes that the service may need soon
     * @param user who runs this process
     */
    void judge(String check, long wanted, String user, Findings findings) {
        if (problem.isPresent()) {
            findings.failed(
                    check,
                    path + " cannot be written by " + user + ": " + problem.get(),
                    "a data.dir in which the user of the service can write and sync",
                    "Run this as that user (sudo -u tidemark), or correct data.dir or its owner.");
            return;
        }
        judgeSpace(check, wanted, findings);
        if (fileSystem.equals("tmpfs") || fileSystem.equals("ramfs")) {
            String found = path + " is on " + fileSystem + ", which is empty after a restart of the machine";
            findings.failed(check, found, "a local disk", "Set data.dir to a directory on a disk.");
        } else if (fileSystem.matches("(nfs|cifs|smb|9p|fuse|ceph|gluster).*")) {
            String found = path + " is on " + fileSystem;
            findings.warning(check, found, "a local disk", "Set data.dir to a directory on a disk of this machine.");
        }
        stranger.ifPresent(name -> findings.warning(
                check,
                path + " belongs to " + name + ", and " + user + " looked",
                "a look of the user of the service",
                "Run this as that user: sudo -u " + name));
        if (openToOthers) {
            String found = "other users of this machine may have access to " + path;
            findings.warning(check, found, "a directory for its owner alone", "Run: chmod 700 " + path);
        }
    }

    private void judgeSpace(String check, long wanted, Findings findings) {
        String user = holder.map(process -> process > 0 ? "process " + process : "another process")
                .map(process -> ", and is in use by " + process)
                .orElse("");
        String found = path + " (" + fileSystem + ") has " + Amounts.bytes(freeBytes) + " free" + user;
        String expected = "at least " + Amounts.bytes(wanted);
        String advice = "Free space, or set data.dir to a larger disk; writes get 503 while a disk is full.";
        if (freeBytes >= wanted) {
            findings.ok(check, found);
        } else if (freeBytes < LEAST_FREE) {
            findings.failed(check, found, expected, advice);
        } else {
            findings.warning(check, found, expected, advice);
        }
    }
}
