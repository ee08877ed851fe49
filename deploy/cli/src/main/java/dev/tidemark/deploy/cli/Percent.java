package dev.tidemark.deploy.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A part of a whole.
 *
 * @param value in percent, above 0 and at most 100
 */
record Percent(double value) {

    /** Reads {@code 10%}, {@code 10} or {@code 0.5%}. */
    static final class Converter implements ITypeConverter<Percent> {
        @Override
        public Percent convert(String text) {
            double value = parsed(text.strip());
            if (!(value > 0 && value <= 100)) {
                throw new TypeConversionException(
                        "expected a part such as 10%, above 0 and at most 100%, but got " + text);
            }
            return new Percent(value);
        }

        private static double parsed(String text) {
            try {
                return Double.parseDouble(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }
    }
}
