package dev.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sources of the whole project, found from whichever module a test runs in. */
public final class SourceTree {
    private static final List<String> NO_CODE = List.of("//", "/*", "*", "import ", "package ");

    private static final String MAIN = "src/main/java";

    private final Path root;

    private SourceTree(Path root) {
        this.root = root;
    }

    /** The tree around the working directory. */
    public static SourceTree ofProject() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("shared-model"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("Expected to run inside the project, but got "
                        + Path.of("").toAbsolutePath());
            }
        }
        return new SourceTree(directory);
    }

    public Path root() {
        return root;
    }

    /** Java files of production code. */
    public List<Path> mainFiles() {
        return javaFiles().stream()
                .filter(file -> root.relativize(file).toString().contains(MAIN))
                .toList();
    }

    /** All Java files, tests included. */
    public List<Path> javaFiles() {
        return files(".java");
    }

    /** The README and all pages. */
    public List<Path> documents() {
        return files(".md").stream()
                .filter(file -> file.startsWith(root.resolve("docs")) || file.equals(root.resolve("README.md")))
                .toList();
    }

    private List<Path> files(String ending) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !root.relativize(file).toString().contains("target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines that are neither blank nor comment, and neither import nor name the package. */
    public static long codeLines(Path file) {
        return lines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && NO_CODE.stream().noneMatch(line::startsWith))
                .count();
    }

    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
