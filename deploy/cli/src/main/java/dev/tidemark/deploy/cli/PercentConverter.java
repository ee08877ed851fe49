package dev.tidemark.deploy.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 10%}, {@code 10} or {@code 0.5%}: a part of a whole in percent, above 0 and at most 100. */
final class PercentConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        String number = text.strip();
        try {
            double value = Double.parseDouble(number.endsWith("%") ? number.substring(0, number.length() - 1) : number);
            if (value > 0 && value <= 100) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Then it is as wrong as a number outside of the range.
        }
        throw new TypeConversionException("expected a part such as 10%, above 0 and at most 100%, but got " + text);
    }
}
