package dev.tidemark.deploy.faststart;

import java.io.IOException;

import dev.tidemark.deploy.faststart.rocks.NativeLibrary;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;

/** Prepares the checkout that this class was loaded from; run by the build. */
public final class FastStartMain {
    private FastStartMain() {}

    /** Takes no arguments; exits with 0 even where nothing could be prepared. */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            Installation installation = Installation.locate().requireBuilt();
            new NativeLibrary(installation.nativeLibraries()).unpack();
            new FastStart(installation).prepare();
        } catch (StackException | IOException e) {
            System.err.println("tidemark: processes will start more slowly: " + e.getMessage());
        }
    }
}
