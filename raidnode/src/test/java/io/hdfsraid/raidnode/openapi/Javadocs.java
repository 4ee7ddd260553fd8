// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.openapi;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Javadoc of sources as plain text: of types, of their members, and of record components. */
final class Javadocs {
  private final Map<String, String> texts = new HashMap<>();

  /** Reads all sources below some folders. */
  static Javadocs below(Path... folders) throws IOException {
    Javadocs docs = new Javadocs();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<Path> sources =
          Stream.of(folders).flatMap(Javadocs::sources).collect(Collectors.toList());
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        docs.new Reader(trees, unit).scan(unit, "");
      }
    }
    return docs;
  }

  private static Stream<Path> sources(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  Optional<String> of(Class<?> type) {
    return text(name(type));
  }

  /** Returns the text about a component of a record, a constant or a method without parameters. */
  Optional<String> of(Class<?> type, String member) {
    return text(name(type) + "#" + member);
  }

  private Optional<String> text(String name) {
    return Optional.ofNullable(texts.get(name)).filter(text -> !text.isEmpty());
  }

  private static String name(Class<?> type) {
    return type.getName().replace('$', '.');
  }

  private final class Reader extends TreePathScanner<Void, String> {
    private final DocTrees trees;
    private final String folder;

    Reader(DocTrees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.folder = unit.getPackageName() + ".";
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
      String name =
          outer.isEmpty() ? folder + type.getSimpleName() : outer + "." + type.getSimpleName();
      note(name, getCurrentPath());
      return super.visitClass(type, name);
    }

    @Override
    public Void visitMethod(MethodTree method, String type) {
      note(type + "#" + method.getName(), getCurrentPath());
      return null;
    }

    @Override
    public Void visitVariable(VariableTree variable, String type) {
      note(type + "#" + variable.getName(), getCurrentPath());
      return null;
    }

    private void note(String name, TreePath path) {
      DocCommentTree doc = trees.getDocCommentTree(path);
      if (doc == null) {
        return;
      }
      texts.put(name, text(doc.getFullBody()));
      for (DocTree tag : doc.getBlockTags()) {
        if (tag instanceof ParamTree param && !param.isTypeParameter()) {
          texts.put(name + "#" + param.getName(), text(param.getDescription()));
        }
      }
    }
  }

  private static String text(List<? extends DocTree> parts) {
    return parts.stream()
        .map(Javadocs::text)
        .collect(Collectors.joining())
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String text(DocTree part) {
    if (part instanceof TextTree text) {
      return text.getBody();
    }
    if (part instanceof LiteralTree literal) {
      return literal.getBody().getBody();
    }
    if (part instanceof LinkTree link) {
      return link.getLabel().isEmpty()
          ? link.getReference().getSignature().replaceAll("^#|\\(\\)$", "").replace('#', '.')
          : text(link.getLabel());
    }
    return " "; // marks of HTML
  }
}
