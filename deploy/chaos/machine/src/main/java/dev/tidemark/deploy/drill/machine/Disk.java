package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory on a separate small ext4 file system, in a file beside it. The process that uses it must have ended
 * before it is mounted again or closed.
 */
public final class Disk implements AutoCloseable {
    /** Ends the file system without writing its log: all that was not synced is lost. */
    private static final String CUT =
            "import fcntl,os,struct,sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))";

    private static final String FILLER = ".filler";
    private static final int STEP_BYTES = 1 << 20;

    private final Path directory;
    private final Path image;

    private Disk(Path directory, Path image) {
        this.directory = directory;
        this.image = image;
    }

    /**
     * Makes one.
     *
     * @param directory where it is to be; made if need be
     * @param bytes how large it is
     * @throws MachineException when this machine does not allow it, which mostly means that root is needed
     */
    public static Disk at(Path directory, long bytes) throws MachineException, IOException, InterruptedException {
        Path image = directory.resolveSibling(directory.getFileName() + ".ext4");
        Files.createDirectories(directory);
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        Disk disk = new Disk(directory, image);
        Commands.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        disk.mount();
        return disk;
    }

    /** Takes all the space that is left. */
    public void fill() {
        try (RandomAccessFile file = new RandomAccessFile(filler().toFile(), "rw")) {
            byte[] step = new byte[STEP_BYTES];
            file.seek(file.length());
            for (int size = step.length; size > 0; size = write(file, step, size) ? size : size / 2) {
                // Ends once not even a byte finds room.
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean write(RandomAccessFile file, byte[] bytes, int length) {
        try {
            file.write(bytes, 0, length);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Gives the space back. */
    public void free() {
        try {
            Files.deleteIfExists(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cuts the power: from now on every access fails, and what was not synced is lost. */
    public void cut() throws MachineException, InterruptedException {
        Commands.run("python3", "-c", CUT, directory.toString());
    }

    /** Comes back after a cut, as the machine would after its next start. */
    public void comeBack() throws MachineException, InterruptedException {
        Commands.run("umount", directory.toString());
        mount();
    }

    private void mount() throws MachineException, InterruptedException {
        Commands.run("mount", "-o", "loop", image.toString(), directory.toString());
    }

    private Path filler() {
        return directory.resolve(FILLER);
    }

    /** Unmounts it; what is on it stays in the file. */
    @Override
    public void close() {
        Commands.mustRun("umount", "--lazy", directory.toString());
    }
}
