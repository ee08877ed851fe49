package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Path;

/** Native code that a jar holds and that processes can only load from a file; found as a service. */
public interface NativeCode {
    /**
     * Writes what suits this platform, in one step, over what was there.
     *
     * @param directory what {@code java.library.path} will be
     * @throws IOException also when there is none for this platform
     */
    void unpack(Path directory) throws IOException;
}
