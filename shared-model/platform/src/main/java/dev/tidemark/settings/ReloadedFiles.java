package dev.tidemark.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something made from files, and made again when they change. When what the files hold now cannot be used, what was
 * made before stays in use, and {@link #trouble()} says so. One thread looks, any may use.
 */
public final class ReloadedFiles<T> {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReloadedFiles.class);

    private final String what;
    private final List<Path> files;
    private final Loader<T> loader;
    private List<Stamp> seen;
    private volatile T current;
    private volatile @Nullable String trouble;

    /** Makes it from what the files hold now. */
    @FunctionalInterface
    public interface Loader<T> {
        T load() throws BadSettingsException;
    }

    /** Identifies one state of a file. A link that points elsewhere has another identity. */
    private record Stamp(long millis, long bytes, String identity) {
        static Stamp of(Path file) {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                return new Stamp(found.lastModifiedTime().toMillis(), found.size(), String.valueOf(found.fileKey()));
            } catch (IOException e) {
                return new Stamp(-1, -1, "none");
            }
        }
    }

    private ReloadedFiles(String what, List<Path> files, Loader<T> loader, List<Stamp> seen, T current) {
        this.what = what;
        this.files = files;
        this.loader = loader;
        this.seen = seen;
        this.current = current;
    }

    /**
     * Makes it for the first time.
     *
     * @param what it is called in messages
     * @throws BadSettingsException as the loader
     */
    public static <T> ReloadedFiles<T> open(String what, List<Path> files, Loader<T> loader)
            throws BadSettingsException {
        List<Path> all = List.copyOf(files);
        List<Stamp> seen = stamps(all);
        return new ReloadedFiles<>(what, all, loader, seen, load(loader));
    }

    /**
     * Loads, and takes what a parser did not foresee for a bad file too: the thread that looks at files has more to do.
     */
    private static <T> T load(Loader<T> loader) throws BadSettingsException {
        try {
            return loader.load();
        } catch (RuntimeException e) {
            // Its message may show a piece of a file.
            throw new BadSettingsException(
                    "reading it ended with " + e.getClass().getSimpleName());
        }
    }

    /** What is in use. */
    public T current() {
        return current;
    }

    /** Why what the files hold now is not in use; empty when it is. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Looks whether a file has changed, or whether what could not be used now can; whether something new is in use. */
    public boolean refresh() {
        List<Stamp> now = stamps(files);
        // What could not be used may be made right with nothing to see: chmod changes none of what is looked at.
        if (trouble == null && now.equals(seen)) {
            return false;
        }
        // Taken before reading: what changes meanwhile is seen by the next look.
        seen = now;
        try {
            current = load(loader);
            trouble = null;
            LOGGER.info("The {} changed, what is there now is in use", what);
            return true;
        } catch (BadSettingsException e) {
            String found = "the " + what + " changed and cannot be used, what was there before is: " + e.getMessage();
            if (!found.equals(trouble)) {
                LOGGER.error(
                        "The {} changed and cannot be used, what was there before stays: {}", what, e.getMessage());
            }
            trouble = found;
            return false;
        }
    }

    private static List<Stamp> stamps(List<Path> files) {
        List<Stamp> stamps = new ArrayList<>();
        files.forEach(file -> stamps.add(Stamp.of(file)));
        return stamps;
    }
}
