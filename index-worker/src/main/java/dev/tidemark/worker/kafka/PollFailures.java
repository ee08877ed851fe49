package dev.tidemark.worker.kafka;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** What an exception of a poll is about. */
final class PollFailures {
    private PollFailures() {}

    /**
     * Returns the partitions that the failure names, of those that are read. For a damaged batch, the client names the
     * partition only in the text of the exception.
     */
    static Set<TopicPartition> named(RuntimeException failure, Set<TopicPartition> read) {
        Set<TopicPartition> named = new HashSet<>();
        if (failure instanceof TopicAuthorizationException refused) {
            read.stream()
                    .filter(partition -> refused.unauthorizedTopics().contains(partition.topic()))
                    .forEach(named::add);
            return named;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = String.valueOf(cause.getMessage());
            read.stream().filter(partition -> names(text, partition)).forEach(named::add);
        }
        return named;
    }

    /**
     * Whether it may be about one partition although it names none. What brokers say of a request is about the client.
     */
    static boolean mayBeAboutAPartition(RuntimeException failure) {
        if (failure instanceof InterruptException || failure instanceof WakeupException) {
            return false;
        }
        return !(failure instanceof ApiException) || failure instanceof CorruptRecordException;
    }

    /** Why, in the words of the first cause. */
    static String reason(RuntimeException failure) {
        Throwable first = failure;
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            first = cause;
        }
        return String.valueOf(first.getMessage());
    }

    private static boolean names(String text, TopicPartition partition) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(partition.toString()) + "(?!\\d)")
                .matcher(text)
                .find();
    }
}
