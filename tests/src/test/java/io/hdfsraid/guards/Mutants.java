// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.bytecode.analysis.MethodTree;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;

/**
 * What PIT can take out of the classes of this project, under names that survive a reformat: the
 * call that goes ({@code Fence.pass}), the condition that always holds or never does, by the last
 * call before it ({@code if Optional.isPresent: never}, or {@code if} alone where there is none),
 * or the value that is returned ({@code return}, {@code return Set.contains: true}). Each name also
 * stands without what follows the colon; it is then that of both mutants.
 */
final class Mutants {
  /** The mutators of PIT that take something out; the others change how something is computed. */
  static final List<String> MUTATORS =
      List.of(
          "VOID_METHOD_CALLS",
          "NON_VOID_METHOD_CALLS",
          "EXPERIMENTAL_NAKED_RECEIVER",
          "REMOVE_CONDITIONALS",
          "RETURNS");

  /** The folder of the project; tests run in the folder of their module. */
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private final List<Path> folders;
  private final Map<String, ClassTree> trees = new HashMap<>();

  /**
   * A change that PIT makes to the code of a method.
   *
   * @param type the simple name of the class
   * @param method its method; for the code of a lambda, the method that it stands in
   * @param names those of what is taken out; of a condition and of what is returned one with the
   *     last call before it, and one with the last two
   */
  record Mutant(String type, String method, List<String> names) {}

  /**
   * @param folders where the compiled classes are
   */
  Mutants(List<Path> folders) {
    this.folders = folders;
  }

  /** The folders of compiled classes on the class path of this process, tests not among them. */
  static List<Path> compiledClasses() {
    return classPath().stream()
        .map(Path::of)
        .filter(path -> path.endsWith(Path.of("target", "classes")))
        .toList();
  }

  /** The class path of this process, with folders of classes in place of the jars made of them. */
  static List<String> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .map(Mutants::folderOf)
        .distinct()
        .toList();
  }

  private static String folderOf(String entry) {
    Path path = Path.of(entry).toAbsolutePath().normalize();
    boolean ours = path.startsWith(PROJECT) && path.getParent().endsWith("target");
    if (!ours || !entry.endsWith(".jar")) {
      return path.toString();
    }
    return path.resolveSibling(entry.endsWith("-tests.jar") ? "test-classes" : "classes")
        .toString();
  }

  /** The full names of classes, by their simple names; a name that two classes have is left out. */
  Map<String, String> fullNames() {
    Map<String, String> names = new TreeMap<>();
    // A module without main code has no folder for its classes.
    for (Path folder : folders.stream().filter(Files::isDirectory).toList()) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .map(file -> folder.relativize(file).toString())
            .filter(file -> file.endsWith(".class") && !file.contains("$"))
            .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
            .forEach(name -> names.merge(simple(name), name, (one, other) -> ""));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    names.values().removeIf(String::isEmpty);
    return names;
  }

  /** All that can be taken out of a class and of those nested in it. */
  List<Mutant> of(String fullName) {
    Mutater mutater =
        new GregorEngineFactory()
            .createEngine(EngineArguments.arguments().withMutators(MUTATORS))
            .createMutator(this::bytes);
    return withNested(fullName)
        .flatMap(name -> mutater.findMutations(ClassName.fromString(name)).stream())
        .map(found -> describe(found, tree(found.getClassName().asJavaName())))
        .toList();
  }

  private Stream<String> withNested(String fullName) {
    return Stream.concat(
        Stream.of(fullName),
        tree(fullName).rawNode().innerClasses.stream()
            .map(nested -> nested.name.replace('/', '.'))
            .filter(name -> name.startsWith(fullName + "$")));
  }

  ClassTree tree(String fullName) {
    return trees.computeIfAbsent(fullName, name -> ClassTree.fromBytes(bytes(name).orElseThrow()));
  }

  private Optional<byte[]> bytes(String fullName) {
    for (Path folder : folders) {
      Path file = folder.resolve(fullName.replace('.', '/') + ".class");
      if (Files.exists(file)) {
        try {
          return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return Optional.empty();
  }

  /** Names a mutant of PIT. */
  static Mutant describe(MutationDetails found, ClassTree tree) {
    String type = simple(found.getClassName().asJavaName()).replaceFirst("\\$.*", "");
    String method = found.getMethod();
    if (method.startsWith("lambda$")) {
      method = method.split("\\$", 3)[1];
    }
    return new Mutant(type, method, names(found, tree));
  }

  private static List<String> names(MutationDetails found, ClassTree tree) {
    String mutator = found.getMutator();
    if (mutator.contains("Conditional")) {
      String which = mutator.endsWith("_IF") ? ": always" : ": never";
      return withAndWithout(which, afterCalls("if", found, tree));
    }
    if (mutator.contains("BooleanTrueReturnVals")) {
      return withAndWithout(": true", afterCalls("return", found, tree));
    }
    if (mutator.contains("BooleanFalseReturnVals")) {
      return withAndWithout(": false", afterCalls("return", found, tree));
    }
    if (mutator.contains("ReturnVals")) {
      return afterCalls("return", found, tree);
    }
    String[] call = found.getDescription().replaceFirst(".* call to (\\S+).*", "$1").split("::", 2);
    return List.of(call.length == 2 ? simple(call[0].replace('/', '.')) + "." + call[1] : mutator);
  }

  private static List<String> withAndWithout(String suffix, List<String> names) {
    return names.stream().flatMap(name -> Stream.of(name, name + suffix)).toList();
  }

  /** A word alone, with the last call before it, and with the last two. */
  private static List<String> afterCalls(String word, MutationDetails found, ClassTree tree) {
    List<String> calls = callsBefore(found, tree);
    List<String> names = new ArrayList<>();
    if (calls.isEmpty() || word.equals("return")) {
      names.add(word);
    }
    if (!calls.isEmpty()) {
      names.add(word + " " + calls.get(0));
    }
    if (calls.size() > 1) {
      names.add(word + " " + calls.get(1) + " " + calls.get(0));
    }
    return names;
  }

  /** The last two, the last one first. */
  private static List<String> callsBefore(MutationDetails found, ClassTree tree) {
    List<String> calls = new ArrayList<>();
    MethodTree method = tree.method(found.getId().getLocation()).orElseThrow();
    for (AbstractInsnNode at =
            method.instructionForIndex(found.getInstructionIndex()).orElseThrow();
        at != null && calls.size() < 2;
        at = at.getPrevious()) {
      if (at instanceof MethodInsnNode call) {
        calls.add(simple(call.owner.replace('/', '.')) + "." + call.name);
      }
    }
    return calls;
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
