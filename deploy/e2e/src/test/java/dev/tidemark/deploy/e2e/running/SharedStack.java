package dev.tidemark.deploy.e2e.running;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import dev.tidemark.deploy.stack.StackException;

/**
 * Gives every suite that asks for a {@link StackUnderTest} the same one, started when the first asks and ended after
 * the {@link Last}. Suites keep to tables of their own, and leave all three children running and ready.
 */
public class SharedStack implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedStack.class);
    private static final String KEY = "stack";

    /** For the suite that comes after all others that share the stack: an idle one takes time from other stacks. */
    public static final class Last extends SharedStack implements AfterAllCallback {
        @Override
        public void afterAll(ExtensionContext context) {
            StackUnderTest stack = context.getRoot().getStore(NAMESPACE).remove(KEY, StackUnderTest.class);
            if (stack != null) {
                stack.close();
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType().equals(StackUnderTest.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(KEY, key -> start(), StackUnderTest.class);
    }

    private static StackUnderTest start() {
        try {
            return StackUnderTest.start("shared", settings -> settings);
        } catch (StackException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
