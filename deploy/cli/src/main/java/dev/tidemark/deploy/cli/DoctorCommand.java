package dev.tidemark.deploy.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.doctor.Doctor;
import dev.tidemark.deploy.doctor.Finding;
import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.row.RowJson;

/** Prints what a {@link Doctor} finds. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Checks an installation, before its services are started or when something is odd.",
            "It looks at settings, Java, limits, memory, disks, PostgreSQL, Kafka with topics and rights, services and"
                    + " clocks, and changes nothing. Run it as the user of the services."
        },
        footer = {
            "",
            "Example:",
            "  sudo -u tidemark tidemark doctor",
            "",
            "Exit code 1 when a check failed. Warnings and skipped checks do not count."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final int WIDTH = 8;

    /** What programs read. */
    private record Document(long failed, List<Finding> findings) {}

    private final Supplier<Doctor.Tools> tools;
    private final Terminal terminal;

    @Option(
            names = "--writer-config",
            paramLabel = "FILE",
            description = "Settings of the writer (default, where no file is named: /etc/tidemark/writer.properties).")
    private @Nullable Path writerConfig;

    @Option(
            names = "--worker-config",
            paramLabel = "FILE",
            description = "Settings of the worker (default, where no file is named: /etc/tidemark/worker.properties).")
    private @Nullable Path workerConfig;

    @Option(
            names = "--writer",
            paramLabel = "URL",
            converter = ServiceUrlConverter.class,
            description =
                    "Where the writer is (default: writer.url of the worker, or as the writer's settings have it).")
    private @Nullable URI writer;

    @Option(
            names = "--worker",
            paramLabel = "URL",
            converter = ServiceUrlConverter.class,
            description = "Where the index worker is (default: as its settings have it).")
    private @Nullable URI worker;

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    DoctorCommand(Supplier<Doctor.Tools> tools, Terminal terminal) {
        this.tools = tools;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings = Doctor.examine(
                tools.get(),
                new Doctor.Inquiry(
                        given(writerConfig, workerConfig),
                        given(writer, worker),
                        identity.identity(),
                        System.getenv()));
        terminal.lines(json ? List.of(document(findings)) : text(findings));
        return count(findings, Verdict.FAILED) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static <T> Map<String, T> given(@Nullable T writer, @Nullable T worker) {
        Map<String, T> given = new HashMap<>();
        if (writer != null) {
            given.put("writer", writer);
        }
        if (worker != null) {
            given.put("worker", worker);
        }
        return given;
    }

    private List<String> text(List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(WIDTH);
        for (Finding finding : findings) {
            String verdict = finding.verdict().word();
            lines.add(terminal.tinted(verdict, tint(finding.verdict())) + " ".repeat(WIDTH - verdict.length())
                    + finding.check() + ": " + finding.found().replace("\n", "\n" + indent));
            if (!finding.expected().isEmpty()) {
                lines.add(indent + "expected: " + finding.expected());
                lines.add(indent + "to do: " + finding.advice());
            }
        }
        lines.add(Amounts.count(findings.size(), "check", "checks") + ": "
                + Amounts.count(count(findings, Verdict.FAILED)) + " failed, "
                + Amounts.count(count(findings, Verdict.WARNING), "warning", "warnings") + ", "
                + Amounts.count(count(findings, Verdict.SKIPPED)) + " skipped");
        return lines;
    }

    private static Tint tint(Verdict verdict) {
        return switch (verdict) {
            case OK -> Tint.GREEN;
            case WARNING -> Tint.YELLOW;
            case FAILED -> Tint.RED;
            case SKIPPED -> Tint.DIM;
        };
    }

    private static String document(List<Finding> findings) {
        return RowJson.mapper()
                .valueToTree(new Document(count(findings, Verdict.FAILED), findings))
                .toString();
    }

    private static long count(List<Finding> findings, Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }
}
