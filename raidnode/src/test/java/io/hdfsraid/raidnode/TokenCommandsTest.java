// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.access.AccessToken;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of {@code raidnode token}. */
class TokenCommandsTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(folder.resolve("raidnode.yml"), "api: {tokensFile: tokens.json}");
    Files.writeString(folder.resolve("policies.yml"), "policies: []");
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return new Commands(
            (settings, metrics, clock, opened) -> {
              throw new AssertionError("something was started");
            },
            folder.resolve("raidnode.yml"),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8))
        .run(args);
  }

  private List<AccessToken> tokens() throws IOException {
    return new TokensFile(folder.resolve("tokens.json"), Clock.systemUTC()).read();
  }

  @Test
  void aTokenIsCreatedListedAndRevoked() throws Exception {
    assertThat(run("token", "list")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("There are no tokens in ");

    assertThat(run("token", "create", "--user", "alice", "--role", "Operator", "--expires", "90d"))
        .isZero();
    assertThat(out.toString(UTF_8)).as("the secret alone").matches("raid-[0-9a-f]{64}\n");
    AccessToken alice = tokens().get(0);
    assertThat(alice.user()).isEqualTo("alice");
    assertThat(alice.role()).isEqualTo(Role.OPERATOR);
    assertThat(alice.expires()).contains(alice.created().plus(Duration.ofDays(90)));
    assertThat(err.toString(UTF_8))
        .startsWith("Token %s of alice, role operator, valid until ".formatted(alice.id()))
        .contains(folder.resolve("tokens.json").toString());

    assertThat(run("token", "create", "--user", "prometheus", "--role", "metrics")).isZero();
    assertThat(err.toString(UTF_8)).contains("valid until revoked");

    assertThat(run("token", "list", "--conf", folder.resolve("raidnode.yml").toString())).isZero();
    assertThat(out.toString(UTF_8).lines())
        .hasSize(3)
        .anyMatch(line -> line.matches("ID +USER +ROLE +CREATED +EXPIRES *"))
        .anyMatch(line -> line.matches(alice.id() + " +alice +operator +20\\S+Z +20\\S+Z *"))
        .anyMatch(line -> line.matches("\\w{8} +prometheus +metrics +20\\S+Z +never *"));

    assertThat(run("token", "revoke", alice.id())).isZero();
    assertThat(out.toString(UTF_8))
        .isEqualTo("Token %s of alice is revoked\n".formatted(alice.id()));
    assertThat(tokens()).extracting(AccessToken::user).containsExactly("prometheus");
    assertThat(run("token", "revoke", alice.id())).as("EX_TEMPFAIL").isEqualTo(75);
    assertThat(err.toString(UTF_8))
        .startsWith("raidnode: There is no token " + alice.id() + " in ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "token create",
        "token create --user alice",
        "token create --user alice --role king",
        "token create --user alice --role admin --expires soon",
        "token create --user a'b --role admin",
        "token revoke",
        "token lst"
      })
  void wrongWordsCreateNothing(String words) {
    assertThat(run(words.split(" ", -1))).as("EX_USAGE").isEqualTo(64);
    assertThat(err.toString(UTF_8)).isNotEmpty();
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(folder.resolve("tokens.json")).doesNotExist();
  }

  @Test
  void theUserIsToldWhatARoleIs() {
    run("token", "create", "--user", "alice", "--role", "king");
    assertThat(err.toString(UTF_8)).contains("'king' is none of metrics, viewer, operator, admin");
  }
}
