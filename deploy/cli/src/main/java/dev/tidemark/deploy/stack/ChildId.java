package dev.tidemark.deploy.stack;

/**
 * Which child of a stack: a role may have several.
 *
 * @param number from 1
 */
public record ChildId(Role role, int number) {
    /** The first or only child of a role. */
    public static ChildId first(Role role) {
        return new ChildId(role, 1);
    }

    /** The name in messages and of files: {@code worker}, {@code worker-2}. */
    public String label() {
        return number == 1 ? role.label() : role.label() + "-" + number;
    }
}
