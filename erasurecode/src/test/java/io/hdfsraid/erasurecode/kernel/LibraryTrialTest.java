// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every way of being broken that one can think of, for real. That this process lives is proved by
 * the end of each test.
 */
class LibraryTrialTest {
  /** A library that is right, and has nothing of ISA-L but the names. */
  private static final String RIGHT =
      """
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>

      static unsigned char product[256][256];

      __attribute__((constructor)) static void fill_products(void) {
        for (int a = 0; a < 256; a++)
          for (int b = 0; b < 256; b++)
            for (int bit = 0, x = a; bit < 8; bit++, x = x << 1 ^ (x & 0x80 ? 0x11d : 0))
              product[a][b] ^= b >> bit & 1 ? x : 0;
      }

      void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *tables) {
        for (int i = 0; i < k * rows; i++) tables[32 * i] = a[i];
      }

      static void encode(
          int len, int k, int rows, unsigned char *tables, unsigned char **in, unsigned char **out) {
        for (int r = 0; r < rows; r++)
          for (int i = 0; i < len; i++) {
            out[r][i] = 0;
            for (int c = 0; c < k; c++) out[r][i] ^= product[tables[32 * (r * k + c)]][in[c][i]];
          }
      }

      int xor_gen(int vects, int len, void **array) { return 1; }
      """;

  private static final String ENCODE =
      "void ec_encode_data(int len, int k, int rows, unsigned char *tables, unsigned char **in,"
          + " unsigned char **out)";

  @TempDir private Path folder;

  @Test
  void aLibraryThatIsRightPasses() throws Exception {
    Path library = compile(RIGHT, ENCODE + "{ encode(len, k, rows, tables, in, out); }");
    IsaFacts facts = trial().run(library.toString());
    assertThat(facts)
        .isEqualTo(
            new IsaFacts(Optional.of(library.toRealPath()), Optional.empty(), Optional.empty()));
    assertThat(facts.detail())
        .isEqualTo("ISA-L of unknown version, instruction set unknown, " + library.toRealPath());
  }

  @Test
  void theVersionIsWhatTheLibrarySaysOrElseWhatItsFileIsCalled() throws Exception {
    String encode = ENCODE + "{ encode(len, k, rows, tables, in, out); }";
    Path silent = compile(RIGHT, encode);
    Path versioned = Files.move(silent, folder.resolve("libisal.so.2.0.31"));
    Path link = Files.createSymbolicLink(folder.resolve("libisal.so.2"), versioned);
    assertThat(trial().run(link.toString()))
        .isEqualTo(
            new IsaFacts(
                Optional.of(versioned.toRealPath()), Optional.of("2.31"), Optional.empty()));

    Path speaking =
        compile(RIGHT, encode, "const char *isal_get_version_str(void) { return \"2.99.1\"; }");
    assertThat(trial().run(speaking.toString()).version()).hasValue("2.99.1");
  }

  /** As in the dispatchers of ISA-L, which are written in assembler. */
  @Test
  void theImplementationIsTheOneThatTheLibraryJumpsTo() throws Exception {
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "jumps are only followed on x86-64");
    Path library =
        compile(
            RIGHT,
            ENCODE.replace("data(", "data_avx2(") + "{ encode(len, k, rows, tables, in, out); }",
            """
            __asm__(
                ".globl ec_encode_data; .type ec_encode_data, @function;"
                "ec_encode_data: endbr64; jmp *dispatched(%rip);"
                ".data; dispatched: .quad stub;"
                ".text; stub: endbr64; bnd jmp *ec_encode_data_avx2@GOTPCREL(%rip);");
            """);
    assertThat(trial().run(library.toString()).implementation()).hasValue("avx2");
  }

  @Test
  void aMissingFileIsToldTogetherWithWhatWouldHelp() throws Exception {
    assertUnavailable(folder.resolve("libisal.so.2"))
        .hasMessageContaining("No such file")
        .hasMessageContaining("apt-get install libisal2")
        .hasMessageContaining("-Dhdfsraid.isal=");
  }

  @Test
  void aFileThatIsNoLibraryIsRefused() throws Exception {
    Path text = Files.writeString(folder.resolve("libisal.so.2"), "This is no shared object.\n");
    assertUnavailable(text).hasMessageContaining("cannot be loaded");
  }

  @Test
  void aLibraryOfAnotherSortIsRefused() throws Exception {
    Path zip = Path.of(System.getProperty("java.home"), "lib", "libzip.so");
    assumeTrue(Files.exists(zip), "this Java has no " + zip);
    assertUnavailable(zip)
        .hasMessageContaining("cannot be loaded")
        .hasMessageContaining("ec_init_tables");
  }

  @Test
  void aTruncatedLibraryIsRefused() throws Exception {
    NativeKernel unused = NativeKernelTest.kernel();
    Path whole = trial().run(IsaLibrary.USUAL_NAME).file().orElseThrow();
    byte[] bytes = Files.readAllBytes(whole);
    for (int share : new int[] {2, 16}) {
      Path part = folder.resolve("libisal-%d.so".formatted(share));
      Files.write(part, Arrays.copyOf(bytes, bytes.length / share));
      assertUnavailable(part);
    }
  }

  @Test
  void wrongBytesAreNoticed() throws Exception {
    assertUnavailable(
            compile(
                RIGHT,
                ENCODE
                    + "{ encode(len, k, rows, tables, in, out); if (len == 77) out[rows - 1][76]++;"
                    + " }"))
        .hasMessageContaining("gives wrong bytes")
        .hasMessageContaining("77 bytes");
  }

  @Test
  void wrongSumsAreNoticed() throws Exception {
    assertUnavailable(
            compile(
                RIGHT.replace("{ return 1; }", "{ return 0; }"),
                ENCODE + "{ encode(len, k, rows, tables, in, out); }"))
        .hasMessageContaining("gives wrong bytes: row 0 of 1")
        .hasMessageContaining("5 inputs of 64 bytes in heap memory");
  }

  @Test
  void aCrashEndsTheOtherProcessOnly() throws Exception {
    assertUnavailable(compile(RIGHT, ENCODE + "{ *(volatile int *) 8 = 1; }"))
        .hasMessageContaining("was tried in another process")
        .hasMessageContaining(": SIGSEGV");
  }

  @Test
  void aCrashWhileLoadingEndsTheOtherProcessOnly() throws Exception {
    assertUnavailable(
            compile(
                RIGHT,
                ENCODE + "{}",
                "__attribute__((constructor)) static void start(void) { abort(); }"))
        .hasMessageContaining("exit code 134");
  }

  @Test
  void aLibraryThatEndsTheProcessIsRefused() throws Exception {
    assertUnavailable(compile(RIGHT, ENCODE + "{ puts(\"good bye\"); fflush(stdout); _exit(0); }"))
        .hasMessageContaining("ended before the trial was over: good bye");
    assertUnavailable(compile(RIGHT, ENCODE + "{ _exit(3); }")).hasMessageContaining("exit code 3");
  }

  @Test
  void aLibraryThatHangsIsKilled() throws Exception {
    assertUnavailable(
            trial(Duration.ofMillis(1500)), compile(RIGHT, ENCODE + "{ for (;;) pause(); }"))
        .hasMessageContaining("had not ended after 1500 ms and was killed");
  }

  @Test
  void endlessOutputIsNotReadAndEndsTheTrial() throws Exception {
    assertUnavailable(compile(RIGHT, ENCODE + "{ for (;;) puts(\"more\"); }"))
        .hasMessageContaining("was tried in another process, which ended with exit code 137: m");
  }

  @Test
  void aRuntimeWithoutJavaBinaryIsTold() throws Exception {
    LibraryTrial usual = trial();
    LibraryTrial trial = new LibraryTrial(folder, usual.classPath(), usual.limit());
    assertUnavailable(trial, Path.of("libisal.so.2"))
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("no bin/java");
  }

  @Test
  void aJavaThatDoesNotStartIsTold() throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/no/such/interpreter\n");
    assumeTrue(java.toFile().setExecutable(true), "no executable files here");
    LibraryTrial usual = trial();
    LibraryTrial trial = new LibraryTrial(folder, usual.classPath(), usual.limit());
    assertUnavailable(trial, Path.of("libisal.so.2"))
        .hasMessageContaining(java + " does not start");
  }

  @Test
  void anInterruptIsKeptForLater() throws Exception {
    Path text = Files.writeString(folder.resolve("libisal.so.2"), "This is no shared object.\n");
    Thread.currentThread().interrupt();
    try {
      assertUnavailable(text).hasMessageContaining("cannot be loaded");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static AbstractThrowableAssert<?, ?> assertUnavailable(Path library)
      throws KernelUnavailableException {
    return assertUnavailable(trial(), library).hasMessageStartingWith(library.toString());
  }

  private static AbstractThrowableAssert<?, ?> assertUnavailable(LibraryTrial trial, Path library) {
    return assertThatThrownBy(() -> trial.run(library.toString()))
        .isInstanceOf(KernelUnavailableException.class);
  }

  private static LibraryTrial trial() throws KernelUnavailableException {
    return NativeKernel.trial();
  }

  private static LibraryTrial trial(Duration limit) throws KernelUnavailableException {
    LibraryTrial usual = trial();
    return new LibraryTrial(usual.javaHome(), usual.classPath(), limit);
  }

  private Path compile(String... code) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("library.c"), String.join("\n", code) + "\n");
    Path library = Files.createTempFile(folder, "libtry", ".so");
    Process gcc;
    try {
      gcc =
          new ProcessBuilder(
                  "gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return Assumptions.abort("no gcc to build a broken library with: " + e.getMessage());
    }
    String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(gcc.waitFor()).as(output).isZero();
    return library;
  }
}
