// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What the classes of a jar call and read of Hadoop and slf4j, and what of that a class path does
 * not have: the JVM would find out when it gets there, with a {@link LinkageError}.
 *
 * @param references {@code owner.name descriptor}
 * @param missing those of them that are in no class of the class path
 */
record Linkage(Set<String> references, Set<String> missing) {
  private static final int API = Opcodes.ASM9;

  /**
   * @param jar is on the class path, too
   * @param classPath jars
   */
  static Linkage of(Path jar, List<String> classPath) throws IOException {
    Set<Reference> references = new HashSet<>();
    try (JarFile classes = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(classes.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (InputStream in = classes.getInputStream(entry)) {
            new ClassReader(in).accept(new Collector(references), ClassReader.SKIP_FRAMES);
          }
        }
      }
    }
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = new File(classPath.get(i)).toURI().toURL();
    }
    Set<String> all = new TreeSet<>();
    Set<String> missing = new TreeSet<>();
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Types types = new Types(loader);
      for (Reference reference : references) {
        all.add(reference.toString());
        if (!types.have(reference.owner(), reference.member())) {
          missing.add(reference.toString());
        }
      }
    }
    return new Linkage(all, missing);
  }

  /**
   * @param owner internal name of a class
   * @param member name and descriptor
   */
  private record Reference(String owner, String member) {
    @Override
    public String toString() {
      return owner + "." + member;
    }
  }

  /** The members that a class calls and reads. */
  private static final class Collector extends ClassVisitor {
    private final Set<Reference> references;

    Collector(Set<Reference> references) {
      super(API);
      this.references = references;
    }

    private void add(String owner, String name, String descriptor) {
      if (owner.startsWith("org/apache/hadoop/")
          || owner.startsWith("org/slf4j/")
          || owner.startsWith("io/hdfsraid/drfs/")) { // what it has inherited

        references.add(new Reference(owner, name + " " + descriptor));
      }
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(API) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String calledAs, boolean isInterface) {
          add(owner, called, calledAs);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          add(owner, field, type);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String lambda, String type, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle handle) {
              add(handle.getOwner(), handle.getName(), handle.getDesc());
            }
          }
        }
      };
    }
  }

  /** The members of the classes of a class path. */
  private static final class Types {
    private final ClassLoader loader;
    private final Map<String, Optional<Type>> known = new HashMap<>();

    Types(ClassLoader loader) {
      this.loader = loader;
    }

    private record Type(Set<String> parents, Set<String> members) {}

    boolean have(String owner, String member) throws IOException {
      Optional<Type> type = type(owner);
      if (type.isEmpty()) {
        return false;
      }
      if (type.get().members().contains(member)) {
        return true;
      }
      for (String parent : type.get().parents()) {
        if (have(parent, member)) {
          return true;
        }
      }
      return false;
    }

    private Optional<Type> type(String name) throws IOException {
      Optional<Type> type = known.get(name);
      if (type == null) {
        type = read(name);
        known.put(name, type);
      }
      return type;
    }

    private Optional<Type> read(String name) throws IOException {
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        if (in == null) {
          return Optional.empty();
        }
        Type type = new Type(new HashSet<>(), new HashSet<>());
        new ClassReader(in).accept(new Members(type), ClassReader.SKIP_CODE);
        return Optional.of(type);
      }
    }

    private static final class Members extends ClassVisitor {
      private final Type type;

      Members(Type type) {
        super(API);
        this.type = type;
      }

      @Override
      public void visit(
          int version,
          int access,
          String name,
          String signature,
          String parent,
          String[] interfaces) {
        if (parent != null) {
          type.parents().add(parent);
        }
        type.parents().addAll(List.of(interfaces));
        if ((access & Opcodes.ACC_INTERFACE) != 0) {
          type.parents().add("java/lang/Object");
        }
      }

      @Override
      public FieldVisitor visitField(
          int access, String name, String descriptor, String signature, Object value) {
        type.members().add(name + " " + descriptor);
        return null;
      }

      @Override
      public MethodVisitor visitMethod(
          int access, String name, String descriptor, String signature, String[] exceptions) {
        type.members().add(name + " " + descriptor);
        return null;
      }
    }
  }
}
