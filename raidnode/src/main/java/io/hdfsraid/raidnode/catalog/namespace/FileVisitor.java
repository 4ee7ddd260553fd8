package io.hdfsraid.raidnode.catalog.namespace;

/** Is shown files, one after another. */
@FunctionalInterface
public interface FileVisitor {
  /**
   * @return whether it wants to see more
   */
  boolean look(IndexedFile file);
}
