package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.util.List;

import picocli.CommandLine;

import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.doctor.Doctor;
import dev.tidemark.deploy.doctor.Machine;
import dev.tidemark.deploy.doctor.kafka.KafkaExaminer;
import dev.tidemark.deploy.doctor.postgres.PostgresExaminer;
import dev.tidemark.deploy.faststart.rocks.NativeLibrary;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.runtime.SteadyClock;

/** Entry point of {@code tidemark doctor}, found by the command line. */
public final class DoctorMain implements CommandProvider {
    @Override
    public List<CommandLine> commands(CommandContext context) {
        return List.of(new CommandLine(new DoctorCommand(() -> tools(context.services()), context.terminal())));
    }

    /** Only once the command runs: others load no native library. */
    private static Doctor.Tools tools(Services services) {
        Clock clock = new SteadyClock();
        return new Doctor.Tools(
                Machine.here(NativeLibrary.load()),
                new KafkaExaminer(),
                new PostgresExaminer(),
                services,
                values -> Security.open(
                        values.getString("http.host"), SecuritySettings.of(values), index -> List.of(), clock),
                clock);
    }
}
