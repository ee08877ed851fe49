package dev.tidemark.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory that one process at a time may use, held by a lock on a file in it until closed or the process ends. */
public final class DataDirectory implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(DataDirectory.class);
    private static final String LOCK_FILE = "process.lock";

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Makes the directory where it is absent, for the user of the process alone, and takes it.
     *
     * @throws DirectoryInUseException when another process has it
     */
    public static DataDirectory take(Path path) throws DirectoryInUseException {
        try {
            PrivateFiles.createDirectories(path);
            if (PrivateFiles.isOpenToOthers(path)) {
                LOGGER.warn("Other users of this machine may have access to {}; chmod 700 keeps them out", path);
            }
            PrivateFiles.create(path.resolve(LOCK_FILE));
            FileChannel channel =
                    FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locked(channel)) {
                channel.close();
                throw new DirectoryInUseException(path);
            }
            return new DataDirectory(path, channel);
        } catch (IOException e) {
            throw new UncheckedIOException("Expected a data directory at " + path + ", but " + e, e);
        }
    }

    public Path path() {
        return path;
    }

    /** What no copy of the directory shares, as long as neither machine has the other's name: an opaque text. */
    public String identity() {
        return host() + ":" + path.toAbsolutePath() + ":" + fileKey();
    }

    /** Where the directory is used, for people: host, process and path. */
    public String place() {
        return "process " + ProcessHandle.current().pid() + " on host " + host() + " with data directory "
                + path.toAbsolutePath();
    }

    /**
     * Returns the inode of the lock file, which differs in a copy; empty text where files have none. The device number
     * is left out, because it may change when the machine starts.
     */
    private String fileKey() {
        try {
            Object inode = Files.getAttribute(path.resolve(LOCK_FILE), "unix:ino");
            return String.valueOf(inode);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            LOGGER.debug("Files have no numbers here", e);
            return "";
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOGGER.debug("The name of this machine is not known", e);
            return "";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
