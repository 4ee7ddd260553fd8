// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/** The directory of a cluster. A directory that the caller has given is never emptied. */
record Storage(Path directory, boolean ours) implements AutoCloseable {
  static Storage temporary() throws IOException {
    return new Storage(Files.createTempDirectory("hdfs-raid-embedded-"), true);
  }

  static Storage at(Path directory, boolean mayHoldNamespace) throws IOException {
    Files.createDirectories(directory);
    Storage storage = new Storage(directory.toAbsolutePath(), false);
    try (Stream<Path> entries = Files.list(directory)) {
      boolean empty = entries.findAny().isEmpty();
      if (!empty && !(mayHoldNamespace && storage.holdsNamespace())) {
        throw new IOException(
            "%s is not empty: give an empty directory%s"
                .formatted(directory, mayHoldNamespace ? " or that of an earlier cluster" : ""));
      }
    }
    return storage;
  }

  boolean holdsNamespace() {
    return Files.exists(directory.resolve("name-0-1"));
  }

  @Override
  public void close() throws IOException {
    if (ours) {
      delete(directory);
    }
  }

  /** Copies what is in a directory into an empty one. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> found = Files.walk(from)) {
      for (Path each : found.filter(path -> !path.equals(from)).toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  static void delete(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
