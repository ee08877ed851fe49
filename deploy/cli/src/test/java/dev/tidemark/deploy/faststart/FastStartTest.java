package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StartImage;

import static org.assertj.core.api.Assertions.assertThat;

/** How an installation is prepared, with a Java that only leaves the files that are expected of it. */
class FastStartTest {
    /** The stack ends with SIGTERM. Its children, which have the number 7, take their flags from the environment. */
    private static final String JAVA = """
            #!/bin/sh
            record() { case $2 in *%p) : > "${2#*=}"; mv "${2#*=}" "$(dirname "${2#*=}")/pid$1" ;; esac; }
            data=
            for argument in "$@"; do
              record $$ "$argument"
              case $argument in
                --data=*) data=${argument#*=} ;;
                -XX:SharedArchiveFile=* | -XX:AOTCache=*) : > "${argument#*=}" ;;
              esac
            done
            [ -n "$data" ] || exit 0
            printf %s "$TIDEMARK_END_WITH_PARENT" > "$(dirname "$0")/ends"
            mkdir -p "$data"
            for role in broker writer worker; do echo 7 > "$data/$role.pid"; done
            for flag in $TIDEMARK_JAVA_OPTS; do record 7 "$flag"; done
            echo ready
            exec cat > /dev/null
            """;

    @TempDir
    private Path directory = Path.of("");

    private Path java = Path.of("");

    @BeforeEach
    void makeJava() throws IOException {
        java = Files.writeString(directory.resolve("java"), JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void theStackThatIsLearntFromEndsWithTheProcessThatLearns() throws Exception {
        new FastStart(installation("home")).prepare();

        assertThat(directory.resolve("ends")).hasContent("stdin");
    }

    @Test
    void whatAKilledCallHasLeftIsRemoved() throws Exception {
        Installation installation = installation("home");
        Path left = Files.createDirectories(installation.fastStart().resolve("tidemark-17/data"));

        new FastStart(installation).prepare();

        assertThat(left.getParent()).doesNotExist();
        assertThat(installation.nativeLibraries()).isNotEmptyDirectory();
    }

    @Test
    void anInstallationBelowAPathWithABlankIsPreparedToo() throws Exception {
        Installation installation = installation("my home");

        new FastStart(installation).prepare();

        assertThat(StartImage.WORKER.file(installation)).exists();
    }

    private Installation installation(String name) throws IOException {
        Installation installation = new Installation(directory.resolve(name), java);
        Path samples = Files.createDirectories(installation.samples());
        Files.writeString(samples.resolve("customers.ndjson"), "");
        return installation;
    }
}
