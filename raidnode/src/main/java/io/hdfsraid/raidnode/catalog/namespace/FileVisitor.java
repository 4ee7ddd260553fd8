package io.hdfsraid.raidnode.catalog.namespace;

/** Is shown files, one after another. */
@FunctionalInterface
public interface FileVisitor {
  /**
   * Looks at a file.
   *
   * @return whether it wants to see more
   */
  boolean look(IndexedFile file);
}
