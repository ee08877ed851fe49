package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;

import dev.tidemark.runtime.BoundedWait;

/** The threads of another virtual machine, held by its debugger: a thread can hang while all others go on. */
public final class DebuggedThreads implements AutoCloseable {
    private static final int MOST_TRIES = 500;
    private static final Duration STEP = Duration.ofMillis(3);

    private final VirtualMachine machine;

    private DebuggedThreads(VirtualMachine machine) {
        this.machine = machine;
    }

    /** The flag with which a machine can be debugged on a port. */
    public static String flag(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port;
    }

    public static DebuggedThreads attach(int port) throws IOException {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(one -> one.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.getOrDefault("hostname", anyOf(arguments)).setValue("127.0.0.1");
        arguments.getOrDefault("port", anyOf(arguments)).setValue(Integer.toString(port));
        try {
            return new DebuggedThreads(connector.attach(arguments));
        } catch (IllegalConnectorArgumentsException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a thread hang, at a moment at which it waits and holds no lock. */
    public void suspend(String name) throws InterruptedException {
        ThreadReference thread = thread(name);
        for (int i = 0; i < MOST_TRIES; i++) {
            thread.suspend();
            if (thread.status() == ThreadReference.THREAD_STATUS_WAIT) {
                return;
            }
            thread.resume();
            BoundedWait.rest(STEP);
        }
        throw new AssertionError("expected thread " + name + " to wait now and then");
    }

    /** Lets it go on. */
    public void resume(String name) {
        thread(name).resume();
    }

    /** Lets the machine go on without a debugger. */
    @Override
    public void close() {
        machine.dispose();
    }

    private ThreadReference thread(String name) {
        List<ThreadReference> threads = machine.allThreads();
        return threads.stream()
                .filter(thread -> thread.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected a thread " + name + " among " + threads));
    }

    private static Connector.Argument anyOf(Map<String, Connector.Argument> arguments) {
        return arguments.values().iterator().next();
    }
}
