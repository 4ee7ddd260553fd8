// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The other process of a {@link LibraryTrial}: loads the library, uses it in every way the kernel
 * does, and prints what it found.
 */
final class TrialMain {
  // Before what this class prints, as libraries and the JVM may print, too.
  private static final String MARK = "isa-l-trial ";
  private static final String PROBLEM = MARK + "problem=";
  private static final String END = MARK + "end";

  private static final String WANTED =
      "ISA-L 2.30 or newer is needed: install it (Debian and Ubuntu: apt-get install libisal2), or name its file with -D%s=/path/to/libisal.so.2"
          .formatted(NativeKernel.PROPERTY);

  private TrialMain() {}

  /**
   * Tries a library.
   *
   * @param args an absolute path, or a name that the system's linker searches
   */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    IsaLibrary library;
    try {
      library = IsaLibrary.load(args[0]);
    } catch (LinkageError e) {
      out.println(PROBLEM + "cannot be loaded (" + reason(e) + "). " + WANTED);
      return;
    }
    NativeKernel kernel = new NativeKernel(library, args[0]);
    Optional<String> fault = SelfTest.firstFault(kernel::prepare);
    if (fault.isPresent()) {
      out.println(PROBLEM + "gives wrong bytes: " + fault.get());
      return;
    }
    library.file().ifPresent(file -> out.println(MARK + "file=" + file));
    library.version().ifPresent(version -> out.println(MARK + "version=" + version));
    library.implementation().ifPresent(name -> out.println(MARK + "implementation=" + name));
    out.println(END);
  }

  /**
   * Returns the first line of the message: JNA tries several ways and writes a line about each, the
   * linker's first.
   */
  private static String reason(LinkageError e) {
    List<String> lines = e.toString().lines().toList();
    return lines.size() > 1 ? lines.get(1) : lines.get(0);
  }

  /** What the process has found to be wrong; empty when nothing, or when it did not get so far. */
  static Optional<String> problem(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(PROBLEM))
        .map(line -> line.substring(PROBLEM.length()))
        .findFirst();
  }

  /** Empty unless the process got to the end of the trial. */
  static Optional<IsaFacts> facts(List<String> output) {
    if (!output.contains(END)) {
      return Optional.empty();
    }
    Map<String, String> facts =
        output.stream()
            .filter(line -> line.startsWith(MARK) && line.contains("="))
            .map(line -> line.substring(MARK.length()).split("=", 2))
            .collect(Collectors.toMap(fact -> fact[0], fact -> fact[1], (a, b) -> b));
    return Optional.of(
        new IsaFacts(
            Optional.ofNullable(facts.get("file")).map(Path::of),
            Optional.ofNullable(facts.get("version")),
            Optional.ofNullable(facts.get("implementation"))));
  }
}
