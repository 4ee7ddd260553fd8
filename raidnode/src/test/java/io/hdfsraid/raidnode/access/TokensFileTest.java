// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidnode.access.TokensFile.NewToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensFileTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("data/tokens.json");
  }

  private TokensFile file() {
    return new TokensFile(path(), Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void aTokenIsKeptWithoutItsSecretAndForItsOwnerOnly() throws Exception {
    NewToken alice = file().create("alice", Role.OPERATOR, Optional.of(Duration.ofDays(90)));
    NewToken bob = file().create("bob@EXAMPLE.COM", Role.VIEWER, Optional.empty());

    assertThat(alice.secret()).matches("raid-[0-9a-f]{64}").isNotEqualTo(bob.secret());
    assertThat(file().read()).containsExactly(alice.token(), bob.token());
    assertThat(alice.token().expires()).contains(NOW.plus(Duration.ofDays(90)));
    assertThat(alice.token().isExpired(NOW.plus(Duration.ofDays(90)).minusMillis(1))).isFalse();
    assertThat(alice.token().isExpired(NOW.plus(Duration.ofDays(90)))).isTrue();
    assertThat(bob.token().isExpired(Instant.MAX)).isFalse();
    assertThat(Files.readString(path())).doesNotContain(alice.secret()).contains("\"operator\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-------");
    assertThat(folder.resolve("data")).isDirectoryContaining("glob:**/tokens.json");
    try (var all = Files.list(folder.resolve("data"))) {
      assertThat(all).as("no half file is left").hasSize(1);
    }
  }

  @Test
  void aTokenThatIsRevokedInTheSameMomentIsNoticed() throws Exception {
    NewToken alice = file().create("alice", Role.ADMIN, Optional.empty());
    KnownTokens known = new KnownTokens(file());
    assertThat(known.find(alice.secret())).isPresent();
    FileTime moment = Files.getLastModifiedTime(path());

    file().revoke(alice.token().id());
    NewToken carol = file().create("carol", Role.ADMIN, Optional.empty());
    Files.setLastModifiedTime(path(), moment);

    assertThat(known.find(alice.secret())).isEmpty();
    assertThat(known.find(carol.secret())).isPresent();
  }

  @Test
  void theSecretFindsItsToken() throws Exception {
    NewToken alice = file().create("alice", Role.ADMIN, Optional.empty());
    KnownTokens known = new KnownTokens(file());
    assertThat(known.find(alice.secret())).contains(alice.token());
    assertThat(known.find(alice.token().sha256())).as("the hash is no secret").isEmpty();
    assertThat(known.find("")).isEmpty();
  }

  @Test
  void aFileThatCannotBeReadMakesEveryTokenWrong() throws Exception {
    NewToken alice = file().create("alice", Role.ADMIN, Optional.empty());
    KnownTokens known = new KnownTokens(file());
    assertThat(known.find(alice.secret())).isPresent();
    Files.writeString(path(), "{\"tokens\": [");
    assertThat(known.find(alice.secret())).isEmpty();
    Files.delete(path());
    assertThat(known.find(alice.secret())).isEmpty();
  }

  @Test
  void aFileThatIsMendedIsReadAgainAlsoIfItIsNotWritten() throws Exception {
    NewToken alice = file().create("alice", Role.ADMIN, Optional.empty());
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-r--r--"));
    KnownTokens known = new KnownTokens(file());
    assertThat(known.find(alice.secret())).isEmpty();
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-------"));
    assertThat(known.find(alice.secret())).contains(alice.token());
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw----r--"));
    assertThat(known.find(alice.secret())).as("it is open again").isEmpty();
  }

  @Test
  void aRevokedTokenIsGone() throws Exception {
    NewToken alice = file().create("alice", Role.ADMIN, Optional.empty());
    NewToken bob = file().create("bob", Role.VIEWER, Optional.empty());
    assertThat(file().revoke("00000000")).isEmpty();
    assertThat(file().revoke(alice.token().id())).contains(alice.token());
    assertThat(file().read()).containsExactly(bob.token());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
  void aFileThatOthersCanReadOrWriteIsRefused(String mode) throws Exception {
    file().create("alice", Role.ADMIN, Optional.empty());
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString(mode));
    assertThatThrownBy(() -> file().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600 " + path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "null",
        "{\"tokens\": [null]}",
        "{\"tokens\": [{\"user\": \"a b\", \"role\": \"admin\"}]}",
        "{\"tokens\": [{\"user\": \"a\", \"role\": \"king\"}]}"
      })
  void aFileThatIsNoneIsNamed(String content) throws Exception {
    Files.createDirectories(path().getParent());
    Files.writeString(path(), content);
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> file().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path() + " is not a file of tokens");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\nb", "\u001b[31m", "alice(unproven)", "../x"})
  void aNameThatCouldBeTakenForSomethingElseIsRefused(String name) {
    assertThatThrownBy(() -> file().create(name, Role.ADMIN, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a name");
    assertThat(path()).doesNotExist();
  }
}
