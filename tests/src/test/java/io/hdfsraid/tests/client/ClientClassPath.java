package io.hdfsraid.tests.client;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The class path of an application in a process of its own: our one jar for clients, the jars that
 * the application has, and perhaps one class of this module.
 */
public final class ClientClassPath {
  private static final Path DELIVERED = Path.of("..", "dist", "target");

  private ClientClassPath() {}

  /**
   * Returns the entries with a class of this module.
   *
   * @param main may use nothing else of this module
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
    try (Stream<Path> all = Files.list(jars)) {
      all.map(jar -> jar.toAbsolutePath().toString()).sorted().forEach(entries::add);
    }
    return entries;
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
    String name = type.getName().replace('.', '/') + ".class";
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path copy = directory.resolve(name);
    Files.createDirectories(Optional.ofNullable(copy.getParent()).orElseThrow());
    Files.copy(classes.resolve(name), copy);
    return directory.toAbsolutePath().toString();
  }
}
