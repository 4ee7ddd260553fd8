// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Three functions of Intel's ISA-L (<a href="https://github.com/intel/isa-l">isa-l</a>, {@code
 * erasure_code.h}, {@code raid.h}), called through JNA, and facts about the library. This is the
 * only class that uses JNA. Without JNA, its use ends in a {@link LinkageError}.
 *
 * <p>The bindings belong to the class, so a process can use one library only. A wrong library, or a
 * wrong address, can take the process down: see {@link LibraryTrial}.
 */
final class IsaLibrary {
  /** The name of the library if no file is configured. */
  static final String USUAL_NAME = Platform.isLinux() ? "libisal.so.2" : "isal";

  /** Bytes that {@link #initTables} writes for each coefficient; version 2.31 may write fewer. */
  static final int TABLE_BYTES = 32;

  // Version 2.m.p is built with libtool's version information 2:m:0.
  private static final Pattern VERSIONED_FILE = Pattern.compile("libisal\\.so\\.2\\.0\\.(\\d+)");

  private static final List<String> IMPLEMENTATIONS =
      List.of("avx512_gfni", "avx2_gfni", "avx512", "avx2", "avx", "sse", "base");

  private final NativeLibrary library;

  private IsaLibrary(NativeLibrary library) {
    this.library = library;
  }

  /**
   * @param nameOrPath searched by the system's linker unless it is an absolute path
   * @throws LinkageError when there is no such library, or it is another one
   */
  static IsaLibrary load(String nameOrPath) {
    if (Native.POINTER_SIZE != Long.BYTES) {
      throw new UnsatisfiedLinkError(
          "This is a %d-bit process, and addresses are passed as 64-bit numbers"
              .formatted(Native.POINTER_SIZE * Byte.SIZE));
    }
    NativeLibrary library = NativeLibrary.getInstance(nameOrPath);
    Native.register(IsaLibrary.class, library);
    return new IsaLibrary(library);
  }

  /** Where JNA's classes come from; empty when that is no file. */
  static Optional<Path> codeOfJna() {
    return CodeSources.fileOf(Native.class);
  }

  /** The address of the first byte, at position 0, of a direct buffer. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  /**
   * Works out the tables for {@link #encode}. Their layout is the library's own business.
   *
   * @param coefficients address of rows x columns bytes, row by row
   * @param tables address of rows x columns x {@link #TABLE_BYTES} bytes, overwritten
   */
  void initTables(int columns, int rows, long coefficients, long tables) {
    ec_init_tables(columns, rows, coefficients, tables);
  }

  /**
   * Multiplies by the matrix the tables were made for.
   *
   * @param length of every vector, in bytes; at least 1
   * @param columns at least 1: ISA-L reads the first pointer also for 0
   * @param inputs address of an address for each column
   * @param outputs address of an address for each row; the vectors there are overwritten
   */
  void encode(int length, int columns, int rows, long tables, long inputs, long outputs) {
    ec_encode_data(length, columns, rows, tables, inputs, outputs);
  }

  /**
   * The sum of vectors, faster than {@link #encode} with coefficients of 1. Needs memory that
   * begins at multiples of 64 bytes (the library says 32), and more than one vector.
   *
   * @param length of every vector, in bytes; a multiple of 64
   * @param vectors address of an address for each vector, and then of the output
   * @return whether it was done; if not, nothing or not all was written
   */
  boolean sum(int length, int count, long vectors) {
    return xor_gen(count + 1, length, vectors) == 0;
  }

  // Bound by their names, which are those of the library. Addresses are passed as numbers: JNA has
  // then nothing to convert, and a call takes no memory.
  private static native void ec_init_tables(int k, int rows, long a, long gftbls);

  private static native void ec_encode_data(
      int len, int k, int rows, long gftbls, long data, long coding);

  private static native int xor_gen(int vects, int len, long array);

  /** The file, symbolic links followed; empty where the system does not tell. */
  Optional<Path> file() {
    long inside = Pointer.nativeValue(library.getFunction("ec_encode_data"));
    try (var mappings = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.UTF_8)) {
      return mappings
          .map(Mapping::parse)
          .flatMap(Optional::stream)
          .filter(mapping -> mapping.from <= inside && inside < mapping.to)
          .map(Mapping::file)
          .findFirst();
    } catch (IOException | UncheckedIOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * The version, such as 2.32.1, as the library tells it, or else, such as 2.30, as the name of its
   * file does; empty where neither does. A library can tell since 2.32.
   */
  Optional<String> version() {
    try {
      Object told = library.getFunction("isal_get_version_str").invoke(String.class, new Object[0]);
      return Optional.ofNullable((String) told);
    } catch (UnsatisfiedLinkError e) {
      return file()
          .map(file -> VERSIONED_FILE.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> "2." + matcher.group(1));
    }
  }

  /**
   * Which of its own implementations, such as {@code avx512_gfni}, {@link #encode} jumps to on this
   * processor; empty when that cannot be told. To be asked after the first use, which decides it.
   *
   * <p>There is no function to ask. But on x86-64 {@code ec_encode_data} is nothing but a jump
   * through a variable, perhaps to another jump of the linker's, and in the end to one of functions
   * that have names of their own.
   */
  Optional<String> implementation() {
    if (!Platform.isIntel() || !Platform.is64Bit()) {
      return Optional.empty();
    }
    Pointer code = library.getFunction("ec_encode_data");
    for (Optional<Pointer> next = Jump.target(code); next.isPresent(); next = Jump.target(code)) {
      code = next.get();
    }
    Pointer reached = code;
    return IMPLEMENTATIONS.stream()
        .filter(name -> reached.equals(addressOf("ec_encode_data_" + name)))
        .findFirst();
  }

  private Pointer addressOf(String function) {
    try {
      return library.getFunction(function);
    } catch (UnsatisfiedLinkError e) {
      return Pointer.NULL;
    }
  }

  /** The instruction JMP [RIP + 32-bit offset], at the begin of a function. */
  private static final class Jump {
    private static final int CODE = 0x25FF;
    // Marks of control-flow enforcement: ENDBR64 where a jump may land, BND before the jump.
    private static final int MAY_LAND = 0xFA1E_0FF3;
    private static final byte BOUND = (byte) 0xF2;

    /** Where it goes; empty when there is another instruction. */
    static Optional<Pointer> target(Pointer function) {
      int at = function.getInt(0) == MAY_LAND ? Integer.BYTES : 0;
      at += function.getByte(at) == BOUND ? 1 : 0;
      if (function.getShort(at) != CODE) {
        return Optional.empty();
      }
      int offset = function.getInt(at + Short.BYTES);
      return Optional.of(function.getPointer(at + Short.BYTES + Integer.BYTES + offset));
    }
  }

  /**
   * A line of /proc/self/maps.
   *
   * @param from the first address
   * @param to the first address beyond
   */
  private record Mapping(long from, long to, Path file) {
    private static final Pattern LINE =
        Pattern.compile("([0-9a-f]+)-([0-9a-f]+) \\S+ \\S+ \\S+ \\d+ +(/.*)");

    static Optional<Mapping> parse(String line) {
      Matcher matcher = LINE.matcher(line);
      return matcher.matches()
          ? Optional.of(
              new Mapping(
                  Long.parseUnsignedLong(matcher.group(1), 16),
                  Long.parseUnsignedLong(matcher.group(2), 16),
                  Path.of(matcher.group(3))))
          : Optional.empty();
    }
  }
}
