package dev.tidemark.deploy.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import static org.assertj.core.api.Assertions.assertThat;

final class ManPageTest {

    @Test
    void aPageHasTheTextsOfTheHelp() {
        CommandSpec spec = CommandSpec.create()
                .name("fetch")
                .addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .paramLabel("FROM")
                        .description("A place…", ".profile is one.")
                        .build())
                .addOption(OptionSpec.builder("--wait").description("Wait.").build())
                .addOption(OptionSpec.builder("-f", "--file")
                        .type(String.class)
                        .paramLabel("FILE")
                        .defaultValue("a\\b")
                        .description("What (default: ${DEFAULT-VALUE}).")
                        .build());
        spec.usageMessage()
                .description("Fetches something.", "100%% of it.")
                .footer(
                        "",
                        "one  a first",
                        "two  a second",
                        "",
                        "Some prose.",
                        "",
                        "Examples:",
                        "  fetch -f x",
                        "",
                        "  a.key (required)",
                        "      What it means.");
        CommandLine below = new CommandLine(spec);
        CommandSpec top = CommandSpec.create().name("top");
        top.usageMessage().description("Has commands.");
        CommandLine parent = new CommandLine(top).addSubcommand(below);

        assertThat(new ManPage(below, "2026-11-20").lines())
                .containsExactly(
                        ".TH TOP\\-FETCH 1 2026-11-20 tidemark",
                        ".nh",
                        ".ad l",
                        ".SH NAME",
                        "top\\-fetch \\- Fetches something.",
                        ".SH SYNOPSIS",
                        "top fetch [\\-\\-wait] [\\-f=FILE] FROM",
                        ".SH DESCRIPTION",
                        ".PP",
                        "Fetches something.",
                        ".PP",
                        "100% of it.",
                        ".SH OPTIONS",
                        ".TP",
                        "\\fBFROM\\fR",
                        "A place\\[u2026]",
                        "\\&.profile is one.",
                        ".TP",
                        "\\fB\\-f, \\-\\-file=FILE\\fR",
                        "What (default: a\\eb).",
                        ".TP",
                        "\\fB\\-\\-wait\\fR",
                        "Wait.",
                        ".SH NOTES",
                        ".nf",
                        "one  a first",
                        "two  a second",
                        ".fi",
                        ".PP",
                        "Some prose.",
                        ".SH EXAMPLES",
                        ".nf",
                        "  fetch \\-f x",
                        ".fi",
                        ".TP",
                        "\\fBa.key (required)\\fR",
                        "What it means.",
                        ".SH SEE ALSO",
                        "\\fBtop\\fR(1)");
        assertThat(new ManPage(parent, "2026-11-20").lines())
                .containsSequence(".SH COMMANDS", ".TP", "\\fBtop\\-fetch(1)\\fR", "Fetches something.");
    }

    @Test
    void aReleaseHasAPageForEachCommandAndAScriptForEachShell(@TempDir Path share) throws Exception {
        ManualMain.main(new String[] {share.toString(), "2026-11-20"});

        assertThat(share.resolve("bash-completion/completions/tidemark")).isNotEmptyFile();
        assertThat(share.resolve("zsh/vendor-completions/_tidemark")).isNotEmptyFile();
        try (Stream<Path> pages = Files.list(share.resolve("man/man1"))) {
            assertThat(pages.map(page -> Objects.toString(page.getFileName())).toList())
                    .contains("tidemark.1", "tidemark-query.1", "tidemark-index-pause.1", "tidemark-writer.1")
                    .hasSizeGreaterThan(25);
        }
    }
}
