package dev.tidemark.deploy.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page of one command, in the language of man(7). It has the texts of {@code --help}; lines are as long as
 * they come, and the reader's terminal breaks them.
 *
 * @param date of the release, as in 2026-11-20
 */
record ManPage(CommandLine command, String date) {
    private static final int UNBROKEN = 10_000;
    private static final Pattern COLUMNS = Pattern.compile("\\S {2,}\\S");
    private static final Pattern NOT_ASCII = Pattern.compile("\\P{ASCII}");
    private static final Pattern BLANK_LINES = Pattern.compile("\\n\\s*\\n");

    /** With hyphens between the words, as in {@code tidemark-index-pause}. */
    String name() {
        return command.getCommandSpec().qualifiedName("-");
    }

    /** The page. */
    List<String> lines() {
        command.setUsageHelpAutoWidth(false).setUsageHelpWidth(UNBROKEN);
        Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
        List<String> description = help.description().lines().toList();
        List<String> lines = new ArrayList<>();
        lines.add(".TH " + escaped(name().toUpperCase(Locale.ROOT)) + " 1 " + date + " tidemark");
        // Words are typed as they stand: not hyphenated, and without wide gaps.
        lines.addAll(List.of(".nh", ".ad l"));
        lines.addAll(List.of(".SH NAME", escaped(name()) + " \\- " + escaped(description.get(0))));
        lines.addAll(List.of(".SH SYNOPSIS", escaped(help.synopsis(0).strip()), ".SH DESCRIPTION"));
        description.forEach(line -> lines.addAll(List.of(".PP", escaped(line))));
        lines.add(".SH OPTIONS");
        options(help).forEach(lines::add);
        if (!command.getSubcommands().isEmpty()) {
            lines.add(".SH COMMANDS");
            commands().forEach(lines::add);
        }
        boolean headed = false;
        String footer = Objects.requireNonNull(command.getHelpSectionMap().get(UsageMessageSpec.SECTION_KEY_FOOTER))
                .render(help);
        for (String paragraph : BLANK_LINES.split(footer.stripTrailing(), 0)) {
            List<String> part =
                    footer(paragraph.lines().filter(line -> !line.isBlank()).toList(), headed);
            headed |= !part.isEmpty();
            lines.addAll(part);
        }
        if (command.getParent() != null) {
            lines.addAll(List.of(
                    ".SH SEE ALSO", "\\fB" + escaped(new ManPage(command.getParent(), date).name()) + "\\fR(1)"));
        }
        return lines;
    }

    /** Arguments and options as {@code --help} shows them: in the last column what they are, before it their names. */
    private static Stream<String> options(Help help) {
        Help.IParamLabelRenderer labels = help.createDefaultParamLabelRenderer();
        Stream<Text[][]> arguments = help.commandSpec().positionalParameters().stream()
                .map(each -> help.createDefaultParameterRenderer().render(each, labels, help.colorScheme()));
        Stream<Text[][]> options = help.commandSpec().options().stream()
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .map(each -> help.createDefaultOptionRenderer().render(each, labels, help.colorScheme()));
        return Stream.concat(arguments, options).flatMap(rows -> {
            String names = Arrays.stream(rows[0], 1, rows[0].length - 1)
                    .map(Text::toString)
                    .collect(Collectors.joining())
                    .replaceFirst("^(-\\w),", "$1, ");
            return item(names, Arrays.stream(rows).map(row -> row[row.length - 1].toString()));
        });
    }

    private Stream<String> commands() {
        return command.getSubcommands().values().stream()
                .flatMap(below -> item(
                        new ManPage(below, date).name() + "(1)",
                        Arrays.stream(below.getCommandSpec().usageMessage().description())
                                .limit(1)));
    }

    private static List<String> footer(List<String> paragraph, boolean headed) {
        if (paragraph.isEmpty()) {
            return List.of();
        }
        boolean examples = paragraph.get(0).startsWith("Example");
        List<String> shown = paragraph.subList(examples ? 1 : 0, paragraph.size());
        boolean indented = shown.stream().allMatch(line -> line.startsWith(" "));
        List<String> lines = new ArrayList<>();
        if (examples) {
            lines.add(".SH EXAMPLES");
        } else if (!headed) {
            lines.add(".SH NOTES");
        } else if (!indented) {
            lines.add(".PP");
        }
        if (!examples && indented) {
            item(shown.get(0), shown.stream().skip(1)).forEach(lines::add);
        } else if (examples
                || shown.stream().anyMatch(line -> COLUMNS.matcher(line).find())) {
            lines.add(".nf");
            shown.forEach(line -> lines.add(escaped(line.stripTrailing())));
            lines.add(".fi");
        } else {
            shown.forEach(line -> lines.add(escaped(line.strip())));
        }
        return lines;
    }

    private static Stream<String> item(String tag, Stream<String> text) {
        return Stream.concat(
                Stream.of(".TP", "\\fB" + escaped(tag.strip()) + "\\fR"), text.map(line -> escaped(line.strip())));
    }

    /** Text that the formatter takes as text, also where it begins with the sign of an order. */
    private static String escaped(String text) {
        String plain = NOT_ASCII
                .matcher(text.replace("\\", "\\e").replace("-", "\\-"))
                .replaceAll(sign -> "\\\\[u%04X]".formatted(sign.group().codePointAt(0)));
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
