// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kernel of Intel's ISA-L, if the library and JNA are installed. Direct buffers are handed to
 * it as they are; heap buffers are copied through a {@link NativeWorkspace}, as native code cannot
 * hold on to the Java heap. A call takes no memory of the heap.
 *
 * <p>Measured with 2.30 and 2.32.1. Both read and write nothing but the bytes they are given, at
 * any alignment and of any length; {@link SelfTest} makes sure of what can be seen of that.
 */
final class NativeKernel implements Kernel {
  static final String NAME = "isa-l";

  /** The system property that names the library's file. */
  static final String PROPERTY = "hdfsraid.isal";

  // Takes a fraction of a second, but not on a cold disk and a busy machine.
  private static final Duration TRIAL_LIMIT = Duration.ofSeconds(20);

  private static final ThreadLocal<NativeWorkspace> WORKSPACE =
      ThreadLocal.withInitial(NativeWorkspace::new);

  private final IsaLibrary library;
  private final String detail;

  /**
   * @param detail see {@link #detail()}
   */
  NativeKernel(IsaLibrary library, String detail) {
    this.library = library;
    this.detail = detail;
  }

  /**
   * Looks for JNA and the library, tries the library in another process, and only then loads it
   * into this one. Takes a fraction of a second; asked again, the answer is the same and comes at
   * once: what is loaded stays loaded.
   *
   * @throws KernelUnavailableException with what is missing or wrong, and what would help
   */
  static NativeKernel load() throws KernelUnavailableException {
    return Outcome.OF_THIS_PROCESS.kernel();
  }

  private static NativeKernel find(Optional<String> named) throws KernelUnavailableException {
    try {
      String wanted = named.isPresent() ? existing(named.get()) : IsaLibrary.USUAL_NAME;
      IsaFacts facts = trial().run(wanted);
      // Loads the same file that passed the test: the name may resolve to another file by now.
      String tried = facts.file().map(Path::toString).orElse(wanted);
      return new NativeKernel(IsaLibrary.load(tried), facts.detail());
    } catch (NoClassDefFoundError e) {
      throw new KernelUnavailableException(
          "JNA is not on the class path: to use a native ISA-L, add net.java.dev.jna:jna-jpms or"
              + " net.java.dev.jna:jna",
          e);
    } catch (LinkageError e) {
      throw new KernelUnavailableException(
          "ISA-L passed its trial, but cannot be loaded into this process: %s"
              .formatted(e.getCause() != null ? e.getCause() : e),
          e);
    }
  }

  private static String existing(String named) throws KernelUnavailableException {
    Path file = Path.of(named).toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw new KernelUnavailableException(
          "The system property %s names %s, which is no file".formatted(PROPERTY, file));
    }
    return file.toString();
  }

  /** With the Java and the jars of this process. */
  static LibraryTrial trial() throws KernelUnavailableException {
    Optional<Path> own = CodeSources.fileOf(NativeKernel.class);
    Optional<Path> jna = IsaLibrary.codeOfJna();
    if (own.isEmpty() || jna.isEmpty()) {
      throw new KernelUnavailableException(
          "A native library is tried in another process first, but that cannot be given the classes of %s: they are in no jar or folder of their own"
              .formatted(own.isEmpty() ? "erasurecode" : "JNA"));
    }
    return new LibraryTrial(
        Path.of(System.getProperty("java.home")), List.of(own.get(), jna.get()), TRIAL_LIMIT);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String detail() {
    return detail;
  }

  @Override
  public Multiplication prepare(CodingMatrix matrix) {
    int rows = matrix.rows();
    int columns = matrix.columns();
    int size = Math.multiplyExact(rows, columns);
    ByteBuffer tables = NativeWorkspace.aligned(Math.multiplyExact(size, IsaLibrary.TABLE_BYTES));
    ByteBuffer coefficients = ByteBuffer.allocateDirect(size);
    for (int i = 0; i < size; i++) {
      coefficients.put(i, (byte) matrix.get(i / columns, i % columns));
    }
    try {
      library.initTables(
          columns, rows, IsaLibrary.address(coefficients), IsaLibrary.address(tables));
    } finally {
      // See below.
      Reference.reachabilityFence(coefficients);
      Reference.reachabilityFence(tables);
    }
    return new Tables(tables, isSum(matrix));
  }

  /** One row of ones, as a single loss within a local group, or RAID-5. */
  private static boolean isSum(CodingMatrix matrix) {
    return matrix.rows() == 1
        && matrix.columns() > 1
        && Arrays.stream(matrix.row(0)).allMatch(element -> element == 1);
  }

  /** A matrix in the form that the library multiplies with. */
  private final class Tables implements Multiplication {
    private final ByteBuffer tables;
    private final long address;
    private final boolean sum;

    Tables(ByteBuffer tables, boolean sum) {
      this.tables = tables;
      this.sum = sum;
      this.address = IsaLibrary.address(tables);
    }

    @Override
    public void multiply(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      if (outputs.length == 0 || !outputs[0].hasRemaining()) {
        return;
      }
      if (inputs.length == 0) {
        clear(outputs);
        return;
      }
      try {
        multiply(WORKSPACE.get(), inputs, outputs);
      } finally {
        // Or their memory could be freed while native code uses it, but no Java code any more.
        Reference.reachabilityFence(inputs);
        Reference.reachabilityFence(outputs);
        Reference.reachabilityFence(tables);
      }
    }

    private void multiply(NativeWorkspace workspace, ByteBuffer[] inputs, ByteBuffer[] outputs) {
      int length = outputs[0].remaining();
      int piece = workspace.open(inputs, outputs);
      int count;
      for (int from = 0; from < length; from += count) {
        count = Math.min(piece, length - from);
        if (sum && count > NativeWorkspace.CACHE_LINE) {
          // What is left over comes next.
          count -= count % NativeWorkspace.CACHE_LINE;
        }
        workspace.copyIn(inputs, outputs, from, count);
        if (!isSummed(workspace, inputs.length, count)) {
          library.encode(
              count,
              inputs.length,
              outputs.length,
              address,
              workspace.pointers(0),
              workspace.pointers(inputs.length));
        }
        workspace.copyOut(inputs, outputs, from, count);
      }
    }

    private boolean isSummed(NativeWorkspace workspace, int inputs, int count) {
      return sum
          && count % NativeWorkspace.CACHE_LINE == 0
          && workspace.isAligned(inputs + 1)
          && library.sum(count, inputs, workspace.pointers(0));
    }

    private static void clear(ByteBuffer[] outputs) {
      for (ByteBuffer output : outputs) {
        for (int i = output.position(); i < output.limit(); i++) {
          output.put(i, (byte) 0);
        }
      }
    }
  }

  /**
   * The result of loading.
   *
   * @param problem why there is no kernel
   */
  private record Outcome(Optional<NativeKernel> found, String problem) {
    static final Outcome OF_THIS_PROCESS = of(Optional.ofNullable(System.getProperty(PROPERTY)));

    private static Outcome of(Optional<String> named) {
      try {
        return new Outcome(Optional.of(find(named)), "");
      } catch (KernelUnavailableException e) {
        return new Outcome(Optional.empty(), e.getMessage());
      }
    }

    NativeKernel kernel() throws KernelUnavailableException {
      return found.orElseThrow(() -> new KernelUnavailableException(problem));
    }
  }
}
