package dev.tidemark.deploy.cli;

import java.util.List;

import picocli.CommandLine;

import dev.tidemark.deploy.doctor.Doctor;
import dev.tidemark.deploy.doctor.Machine;
import dev.tidemark.deploy.doctor.kafka.KafkaExaminer;
import dev.tidemark.deploy.faststart.rocks.NativeLibrary;
import dev.tidemark.runtime.SteadyClock;

/** Entry point of {@code tidemark doctor}, found by the command line. */
public final class DoctorMain implements CommandProvider {
    @Override
    public List<CommandLine> commands(CommandContext context) {
        return List.of(new CommandLine(new DoctorCommand(
                // Only once it runs: other commands load no native library.
                () -> new Doctor.Tools(
                        Machine.here(NativeLibrary.load()), new KafkaExaminer(), context.services(), new SteadyClock()),
                context.terminal())));
    }
}
