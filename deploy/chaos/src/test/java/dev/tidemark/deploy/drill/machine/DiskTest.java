package dev.tidemark.deploy.drill.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DiskTest {
    private static final long BYTES = 32 << 20;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aDiskComesBackFromAPowerCutWhileAProcessRunsInANamespace() throws Exception {
        Path data = directory.resolve("data");
        try (Disk disk = disk(data);
                Namespace namespace = namespace()) {
            Files.writeString(data.resolve("file"), "synced");
            new ProcessBuilder("sync", "-f", data.toString()).start().waitFor();
            List<String> command = new ArrayList<>(namespace.prefix());
            command.addAll(List.of("sh", "-c", "echo inside && exec sleep 60"));
            Process inside = new ProcessBuilder(command).start();
            try {
                assertThat(inside.inputReader().readLine()).isEqualTo("inside");
                disk.cut();
                disk.comeBack();
                assertThat(data.resolve("file")).hasContent("synced");
                Files.writeString(data.resolve("file"), "after");
            } finally {
                inside.destroyForcibly().waitFor();
            }
        }
    }

    private static Disk disk(Path data) throws Exception {
        try {
            return Disk.at(data, BYTES);
        } catch (MachineException e) {
            return Assumptions.abort("disks cannot be made here: " + e.getMessage());
        }
    }

    private static Namespace namespace() throws Exception {
        try {
            return Namespace.with(ProcessHandle.current().pid(), 1);
        } catch (MachineException e) {
            return Assumptions.abort("network namespaces cannot be made here: " + e.getMessage());
        }
    }
}
