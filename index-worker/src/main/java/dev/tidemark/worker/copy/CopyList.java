package dev.tidemark.worker.copy;

import java.util.List;

/** A copy with all its files. */
public record CopyList(CopyHead head, List<CopiedFile> files) {
    public CopyList {
        files = List.copyOf(files);
        if (files.stream().map(CopiedFile::name).distinct().count() != files.size()) {
            throw new IllegalArgumentException("expected each file once, but got " + files);
        }
    }

    long bytes() {
        return files.stream().mapToLong(CopiedFile::bytes).sum();
    }
}
