package dev.tidemark.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What is logged in this process until it is closed: as a service logs it, and of our own classes the details too. The
 * HTTP library, asked for details, shows every byte that comes in; that is for who looks for its bugs.
 */
public final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root;
    private final Logger ours;
    private final Level before;
    private final @Nullable Level oursBefore;

    private LoggedLines(LoggerContext context) {
        setContext(context);
        root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        before = root.getLevel();
        ours = context.getLogger("dev.tidemark");
        oursBefore = ours.getLevel();
    }

    /** Listens from now on. */
    public static LoggedLines listen() {
        LoggedLines lines = new LoggedLines((LoggerContext) LoggerFactory.getILoggerFactory());
        lines.start();
        lines.root.addAppender(lines);
        lines.root.setLevel(Level.INFO);
        lines.ours.setLevel(Level.DEBUG);
        return lines;
    }

    /** What was logged so far, traces of failures with it. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(ILoggingEvent event) {
        String trace = event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
        lines.add(event.getLoggerName() + " " + event.getFormattedMessage() + " " + trace);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        root.setLevel(before);
        ours.setLevel(oursBefore);
        stop();
    }
}
