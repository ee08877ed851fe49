package dev.tidemark.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** The tree of folders in {@code docs/architecture.md} is the one on the disk, without sources and build output. */
class FolderTreeTest {
    private static final String BEGIN = "## Folders";
    private static final int INDENT = 2;

    /** Not looked into: sources follow their packages, and a build writes the rest. */
    private static final Set<String> CLOSED = Set.of("src", "target");

    private final SourceTree tree = SourceTree.ofProject();

    @Test
    void theTreeOfTheArchitectureIsTheOneOnTheDisk() throws IOException {
        assertThat(documented()).hasSizeGreaterThan(15).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(documented())).isEqualTo(onDisk());
    }

    @Test
    void everyModuleOfTheBuildIsAFolderOfTheTree() throws IOException {
        assertThat(modules(Path.of(""))).hasSizeGreaterThan(10).isSubsetOf(documented());
    }

    private List<String> documented() {
        List<String> lines = SourceTree.lines(tree.root().resolve("docs/architecture.md")).stream()
                .dropWhile(line -> !line.equals(BEGIN))
                .dropWhile(line -> !line.startsWith("```"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("```"))
                .toList();
        List<String> folders = new ArrayList<>();
        List<String> above = new ArrayList<>();
        for (String line : lines) {
            int depth = (line.length() - line.stripLeading().length()) / INDENT;
            String name = line.strip().split("/", 2)[0];
            above = new ArrayList<>(above.subList(0, depth));
            above.add(name);
            folders.add(String.join("/", above));
        }
        return folders;
    }

    /** Folders of the modules and of {@code docs}; a user may keep data of a stack beside them. */
    private Set<String> onDisk() throws IOException {
        Set<String> folders = new TreeSet<>();
        for (Path folder : foldersIn(tree.root())) {
            if (Files.exists(folder.resolve("pom.xml")) || folder.endsWith("docs")) {
                collect(folder, folders);
            }
        }
        return folders;
    }

    private void collect(Path folder, Set<String> folders) throws IOException {
        folders.add(tree.root().relativize(folder).toString());
        for (Path below : foldersIn(folder)) {
            collect(below, folders);
        }
    }

    private static List<Path> foldersIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isDirectory)
                    .filter(file -> !CLOSED.contains(file.getFileName().toString()))
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    private List<String> modules(Path module) {
        List<String> found = new ArrayList<>();
        for (String line : SourceTree.lines(tree.root().resolve(module).resolve("pom.xml"))) {
            if (line.strip().startsWith("<module>")) {
                Path below = module.resolve(line.strip().replaceAll("</?module>", ""));
                found.add(below.toString());
                found.addAll(modules(below));
            }
        }
        return found;
    }
}
