package dev.tidemark.deploy.kills;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The process that is killed. It opens a store, checks all of it, says which batch is the newest and how much was
 * compared, and then writes batches for ever, saying the number of each that it was told is safe. It ends by itself
 * only when something is wrong.
 */
final class TrialMain {
    private TrialMain() {}

    public static void main(String[] args) throws IOException {
        Script script = new Script(Long.parseLong(args[2]));
        try (Trial trial = TrialKind.valueOf(args[0]).open(Path.of(args[1]), script);
                OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            say(out, trial.newest() + " " + trial.check());
            for (long next = trial.newest() + 1; next > 0; next++) {
                trial.write();
                say(out, Long.toString(next));
            }
        }
    }

    /** One call of the system a line: what was said is with the reader, whatever comes after. */
    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
