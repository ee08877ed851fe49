package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.MachineException;

/**
 * A power cut: what was not synced is gone. The process is stopped first, because a machine without power answers
 * nobody; a sync that is under way while its file system is shut down may look as if it had worked.
 */
final class PowerCut implements Ending {
    private static final long DISK_BYTES = 256 << 20;

    private final Path directory;
    private final Disk disk;

    private PowerCut(Path directory, Disk disk) {
        this.directory = directory;
        this.disk = disk;
    }

    /**
     * @throws MachineException when this machine does not allow file systems to be made, which mostly means that root
     * is needed
     */
    static PowerCut on(Path directory) throws MachineException, IOException, InterruptedException {
        return new PowerCut(directory, Disk.at(directory, DISK_BYTES));
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public List<String> end(ProcessUnderTest process, Duration after)
            throws IOException, InterruptedException, MachineException {
        process.suspendAfter(after);
        disk.cut();
        List<String> said = process.killAfter(Duration.ZERO);
        disk.comeBack();
        return said;
    }

    @Override
    public long outlives(TrialKind kind, long acknowledged) {
        return kind.newestSynced(acknowledged);
    }

    @Override
    public void close() {
        disk.close();
    }

    @Override
    public String toString() {
        return "power cuts";
    }
}
