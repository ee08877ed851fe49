package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Adds up files whose owner is at work: one that goes while it is looked for, as merged tables do, holds nothing. For
 * one thread.
 */
final class HeldBytes extends SimpleFileVisitor<Path> {
    private long sum;

    /** The bytes of all files so far. */
    long sum() {
        return sum;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        sum += attributes.isRegularFile() ? attributes.size() : 0;
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }
}
