package dev.tidemark.deploy.demo;

/**
 * Something that the demo found to be as it must be, or not.
 *
 * @param name what was looked at
 * @param ok whether it is as it must be
 * @param detail what was found, in one line
 */
public record DemoCheck(String name, boolean ok, String detail) {}
