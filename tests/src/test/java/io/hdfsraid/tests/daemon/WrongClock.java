// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives a process a clock that is wrong by a constant, as on a machine without NTP: an agent of
 * Java that has classes of this project, of Hadoop and of Quartz ask it for the time. What measures
 * durations, {@link System#nanoTime}, stays as it is.
 */
public final class WrongClock {
  private static final Attributes.Name AGENT = new Attributes.Name("Premain-Class");

  /** The schedule waits for a time that our code has asked for, so both need the same clock. */
  private static final List<String> ASKING =
      List.of("io/hdfsraid/", "org/apache/hadoop/", "org/quartz/");

  private static volatile Duration off = Duration.ZERO;

  private WrongClock() {}

  /** Returns the environment of a process whose clock is ahead, or behind if negative. */
  public static Map<String, String> environment(Path folder, Duration ahead) throws IOException {
    Path agent = folder.resolve("wrong-clock.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(AGENT, WrongClock.class.getName());
    try (OutputStream file = Files.newOutputStream(agent);
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      for (Class<?> each : WrongClock.class.getNestMembers()) {
        String entry = each.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(entry));
        try (InputStream code = WrongClock.class.getResourceAsStream("/" + entry)) {
          code.transferTo(jar);
        }
      }
    }
    return Map.of("JAVA_TOOL_OPTIONS", "-javaagent:%s=%s".formatted(agent, ahead));
  }

  /** Called by Java before the main class. */
  public static void premain(String ahead, Instrumentation java) {
    off = Duration.parse(ahead);
    java.addTransformer(new Asking());
    // Java does not tell if a transformer fails.
    if (Math.abs(Probe.ahead() - off.toMillis()) > 1_000) {
      System.err.println("The clock of this process could not be made wrong");
      Runtime.getRuntime().halt(1);
    }
  }

  /** Is transformed, as it is loaded after the transformer was added. */
  private static final class Probe {
    static long ahead() {
      return System.currentTimeMillis() - rightMillis();
    }
  }

  private static long rightMillis() {
    return System.currentTimeMillis();
  }

  /** Replaces {@link System#currentTimeMillis}. */
  public static long currentTimeMillis() {
    return System.currentTimeMillis() + off.toMillis();
  }

  /** Replaces {@link Clock#systemUTC}. */
  public static Clock systemUTC() {
    return Clock.offset(Clock.systemUTC(), off);
  }

  /** Replaces {@link Instant#now()}. */
  public static Instant now() {
    return Instant.now().plus(off);
  }

  private static final class Asking implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
      boolean mine = name.equals(Redirect.SELF);
      if (mine || ASKING.stream().noneMatch(name::startsWith)) {
        return null;
      }
      ClassReader reader = new ClassReader(code);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(
          new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                int access, String method, String type, String generic, String[] exceptions) {
              return new Redirect(super.visitMethod(access, method, type, generic, exceptions));
            }
          },
          0);
      return writer.toByteArray();
    }
  }

  private static final class Redirect extends MethodVisitor {
    static final String SELF = "io/hdfsraid/tests/daemon/WrongClock";

    Redirect(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int code, String owner, String name, String type, boolean ofInterface) {
      if ((owner + "." + name + type).equals("java/util/Date.<init>()V")) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "currentTimeMillis", "()J", false);
        super.visitMethodInsn(code, owner, name, "(J)V", ofInterface);
        return;
      }
      boolean asks =
          switch (owner + "." + name + type) {
            case "java/lang/System.currentTimeMillis()J",
                "java/time/Clock.systemUTC()Ljava/time/Clock;",
                "java/time/Instant.now()Ljava/time/Instant;" ->
                true;
            default -> false;
          };
      super.visitMethodInsn(code, asks ? SELF : owner, name, type, !asks && ofInterface);
    }
  }
}
