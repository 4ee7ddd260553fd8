// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class path of an application in a process of its own: our one jar for clients, the jars that
 * the application has, and perhaps one class of this module with those nested in it.
 */
public final class ClientClassPath {
  private static final Path DELIVERED = Path.of("..", "dist", "target");

  private ClientClassPath() {}

  /**
   * Returns the entries with a class of this module.
   *
   * @param main may use nothing else of this module but classes nested in it
   * @param folder gets a copy of that class
   * @param jars a directory
   */
  public static List<String> of(Class<?> main, Path folder, Path jars) throws Exception {
    List<String> entries = new ArrayList<>();
    entries.add(withOnly(main, folder.resolve("application")));
    entries.addAll(of(jars));
    return entries;
  }

  /**
   * Returns the entries.
   *
   * @param jars a directory
   */
  public static List<String> of(Path jars) throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add(client().toAbsolutePath().toString());
    entries.addAll(in(jars));
    return entries;
  }

  private static List<String> in(Path jars) throws IOException {
    try (Stream<Path> all = Files.list(jars)) {
      return all.map(jar -> jar.toAbsolutePath().toString()).sorted().toList();
    }
  }

  /** Returns the jar for clients as it is delivered. */
  static Path client() throws IOException {
    try (Stream<Path> delivered = Files.walk(DELIVERED)) {
      return delivered
          .filter(path -> path.getFileName().toString().startsWith("hdfs-raid-client-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String withOnly(Class<?> type, Path directory)
      throws IOException, URISyntaxException {
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path its = Path.of(type.getPackageName().replace('.', '/'));
    Files.createDirectories(directory.resolve(its));
    List<Path> compiled;
    try (Stream<Path> all = Files.list(classes.resolve(its))) {
      compiled = all.filter(file -> isOf(type, file)).toList();
    }
    for (Path file : compiled) {
      Files.copy(file, directory.resolve(classes.relativize(file).toString()));
    }
    return directory.toAbsolutePath().toString();
  }

  /** Whether this is the file of the class or of a class nested in it. */
  private static boolean isOf(Class<?> type, Path file) {
    String name = file.getFileName().toString();
    return name.equals(type.getSimpleName() + ".class")
        || name.startsWith(type.getSimpleName() + "$");
  }
}
