// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidshell.command.ShellException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicCopyTest {
  @TempDir Path folder;

  private static final byte[] BYTES = "hours of work".getBytes(StandardCharsets.UTF_8);

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereTheFileSystemRefusesLinksTheCopyGetsItsNameAllTheSame(boolean supported)
      throws IOException {
    Path target = folder.resolve("copy");
    AtomicCopy.LocalCopy.Linking refusing =
        (name, file) -> {
          if (supported) {
            throw new FileSystemException(name.toString(), file.toString(), "not permitted");
          }
          throw new UnsupportedOperationException();
        };
    try (AtomicCopy copy = new AtomicCopy.LocalCopy(target, refusing)) {
      copy.out().write(BYTES);
      copy.keep();
    }

    assertThat(files()).containsExactly(target);
    assertThat(Files.readAllBytes(target)).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNameThatWasTakenMeanwhileIsLeftToWhoHasIt(boolean links) throws IOException {
    Path target = folder.resolve("copy");
    AtomicCopy.LocalCopy.Linking linking =
        (name, file) -> {
          if (!links) {
            throw new FileSystemException(name.toString(), file.toString(), "not permitted");
          }
          Files.createLink(name, file);
        };
    try (AtomicCopy copy = new AtomicCopy.LocalCopy(target, linking)) {
      copy.out().write(BYTES);
      Files.writeString(target, "another's");
      assertThatThrownBy(copy::keep).isInstanceOf(ShellException.class);
    }

    assertThat(files()).containsExactly(target);
    assertThat(Files.readString(target)).isEqualTo("another's");
  }

  @Test
  void ofOneThatIsNotKeptNothingIsLeft() throws IOException {
    try (AtomicCopy copy = new AtomicCopy.LocalCopy(folder.resolve("copy"))) {
      copy.out().write(BYTES);
    }
    assertThat(files()).isEmpty();
  }
}
