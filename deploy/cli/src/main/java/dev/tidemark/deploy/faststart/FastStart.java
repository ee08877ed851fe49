package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StartImage;

/** What lets the processes of an installation start sooner; none of them needs it. */
public final class FastStart {
    /** An image suits this one alone. */
    private static final String JAVA = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");

    private final Installation installation;

    /** @param installation whose directory is written to */
    public FastStart(Installation installation) {
        this.installation = installation;
    }

    /**
     * Unpacks the native library, runs a stack to learn from, and makes the images of all kinds of processes, unless
     * they are younger than their jars and of this Java.
     *
     * @throws IOException when one of them could not be made, with the cause; those made by this call stay
     */
    public void prepare() throws IOException, InterruptedException {
        for (NativeCode code : ServiceLoader.load(NativeCode.class)) {
            code.unpack(installation.nativeLibraries());
        }
        Path madeFor = installation.fastStart().resolve("java");
        boolean fresh = Files.exists(madeFor) && Files.readString(madeFor).equals(JAVA);
        for (StartImage image : made()) {
            fresh = fresh && file(image).isFresh();
        }
        if (!fresh) {
            clear();
            try (ScratchDirectory scratch = ScratchDirectory.below(installation.fastStart())) {
                make(new Training(installation, scratch.path()).run(), scratch.path());
            }
            Files.writeString(madeFor, JAVA);
        }
    }

    /** Removes what another Java or other jars were prepared with: a process that uses a cache records nothing. */
    private void clear() throws IOException {
        Files.createDirectories(installation.fastStart());
        ScratchDirectory.removeLeftovers(installation.fastStart());
        try (DirectoryStream<Path> old = Files.newDirectoryStream(installation.fastStart(), Files::isRegularFile)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
    }

    private static Set<StartImage> made() {
        return StartImage.AHEAD_OF_TIME
                ? EnumSet.complementOf(EnumSet.of(StartImage.BROKER))
                : EnumSet.allOf(StartImage.class);
    }

    private void make(Map<StartImage, List<Path>> learnt, Path scratch) throws IOException, InterruptedException {
        if (StartImage.AHEAD_OF_TIME) {
            for (StartImage image : made()) {
                Path recorded = Objects.requireNonNull(learnt.get(image)).get(0);
                ImageFile file = file(image);
                file.finish(file.beginCache(installation.java(), recorded, image.flags()));
            }
            return;
        }
        // Kinds of processes share an archive.
        Map<ImageFile, List<Path>> lists = new LinkedHashMap<>();
        learnt.forEach((image, some) ->
                lists.computeIfAbsent(file(image), none -> new ArrayList<>()).addAll(some));
        Map<ImageFile, Process> begun = new LinkedHashMap<>();
        for (Map.Entry<ImageFile, List<Path>> each : lists.entrySet()) {
            ImageFile file = each.getKey();
            begun.put(file, file.beginArchive(installation.java(), each.getValue(), scratch));
        }
        for (Map.Entry<ImageFile, Process> each : begun.entrySet()) {
            each.getKey().finish(each.getValue());
        }
    }

    private ImageFile file(StartImage image) {
        return new ImageFile(image.jar(installation), image.file(installation));
    }
}
