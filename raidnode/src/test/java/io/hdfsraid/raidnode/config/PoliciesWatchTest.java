// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.raidnode.health.PoliciesHealth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoliciesWatchTest {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final String POLICY =
      "  - {name: %s, paths: [/a], coldAfter: 90d, codec: rs-6-3}\n";
  private static final Instant START = Instant.parse("2030-06-01T00:00:00Z");

  @TempDir Path folder;

  private final List<Policies> taken = new ArrayList<>();

  /** Maps the name of a policy to why it cannot be in force. */
  private final Map<String, String> objections = new HashMap<>();

  private Instant now = START;
  private Path file;
  private PoliciesWatch watch;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  @BeforeEach
  void begin() throws Exception {
    file = folder.resolve("policies.yml");
    write(policies("first"));
    watch = watch(taken::add);
  }

  private PoliciesWatch watch(Consumer<Policies> taker) throws Exception {
    return new PoliciesWatch(
        file,
        SettingsFiles.policies(file, clock),
        ZoneOffset.UTC,
        clock,
        policies -> Optional.ofNullable(objections.get(policies.inOrder().get(0).name())),
        taker);
  }

  private static String policies(String... names) {
    StringBuilder all = new StringBuilder("policies:\n");
    for (String name : names) {
      all.append(POLICY.formatted(name));
    }
    return all.toString();
  }

  private void write(String content) throws IOException {
    Files.writeString(file, content);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      now = now.plus(EVERY);
      watch.look();
    }
  }

  private List<List<String>> names() {
    return taken.stream()
        .map(policies -> policies.inOrder().stream().map(Policy::name).toList())
        .toList();
  }

  @Test
  void aChangeIsInForceAfterTwoLooks() throws IOException {
    look(5);
    assertThat(taken).as("nothing changed").isEmpty();

    write(policies("second"));
    look(2);

    assertThat(names()).containsExactly(List.of("second"));
    assertThat(watch.state().inForceSince()).isEqualTo(now);
    assertThat(watch.state().refusal()).isEmpty();
    look(5);
    assertThat(taken).as("once").hasSize(1);
  }

  @Test
  void aChangeThatLeavesSizeAndTimeAsTheyWereIsNoticed() throws IOException {
    look(2);
    FileTime modified = Files.getLastModifiedTime(file);
    write(policies("fisrt"));
    Files.setLastModifiedTime(file, modified);
    look(2);

    assertThat(names()).containsExactly(List.of("fisrt"));
  }

  @Test
  void policiesThatCannotBeInForceAreRefused() throws IOException {
    objections.put("second", "has patterns for ns9");
    write(policies("second"));
    look(2);

    assertThat(taken).isEmpty();
    assertThat(watch.state().refusal().orElseThrow().problems())
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .endsWith("policies.yml: has patterns for ns9");
  }

  @Test
  void aCommentChangesNothing() throws IOException {
    write("# a remark\n" + policies("first"));
    look(3);

    assertThat(taken).isEmpty();
    assertThat(watch.state().inForceSince()).isEqualTo(START);
  }

  @Test
  void aFileThatReplacesItIsRead() throws IOException {
    Path other = folder.resolve("policies.yml~");
    Files.writeString(other, policies("second"));
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    look(2);

    assertThat(names()).containsExactly(List.of("second"));
  }

  /** As Kubernetes does it: the file links into a folder that is a link, and that one is moved. */
  @Test
  void aLinkThatLeadsElsewhereIsFollowed() throws IOException {
    for (String version : List.of("v1", "v2")) {
      Files.createDirectory(folder.resolve(version));
      Files.writeString(folder.resolve(version).resolve("policies.yml"), policies(version));
    }
    Files.createSymbolicLink(folder.resolve("data"), Path.of("v1"));
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("data", "policies.yml"));
    look(2);
    Files.createSymbolicLink(folder.resolve("data~"), Path.of("v2"));
    Files.move(
        folder.resolve("data~"), folder.resolve("data"), StandardCopyOption.REPLACE_EXISTING);
    look(2);

    assertThat(names()).containsExactly(List.of("v1"), List.of("v2"));
  }

  @Test
  void aFileWithMistakesIsRefusedUntilItHasNone() throws IOException {
    write(policies("second").replace("codec", "codek"));
    look(2);
    Instant refused = now;
    look(3);

    assertThat(taken).isEmpty();
    PoliciesWatch.Refusal refusal = watch.state().refusal().orElseThrow();
    assertThat(refusal.since()).isEqualTo(refused);
    assertThat(refusal.problems())
        .map(problem -> problem.key() + " " + problem.message())
        .containsExactly(
            "policies[0].codek is not a key here; did you mean codec?",
            "policies[0].codec is missing");
    assertThat(watch.state().inForceSince()).isEqualTo(START);

    HealthCheck.Result health = new PoliciesHealth(watch::state).execute();
    assertThat(health.isHealthy()).isFalse();
    assertThat(health.getMessage()).contains("policies[0].codek: is not a key here");

    write(policies("first"));
    look(2);
    assertThat(new PoliciesHealth(watch::state).execute().isHealthy()).isTrue();
    assertThat(watch.state().refusal()).as("what is in force is in the file again").isEmpty();
    assertThat(taken).isEmpty();
  }

  /** Cut behind the first policy it is a valid file, too, and not what anybody wrote. */
  @Test
  void aHalfWrittenFileIsReadAgain() throws IOException {
    String whole = policies("second", "third", "fourth");
    for (int length = 0; length < whole.length(); length += 10) {
      write(whole.substring(0, length));
      look(1);
    }
    assertThat(taken).isEmpty();
    write(whole);
    look(2);

    assertThat(names()).containsExactly(List.of("second", "third", "fourth"));
    assertThat(watch.state().refusal()).isEmpty();
  }

  @Test
  void aFileThatVanishesKeepsItsPoliciesInForce() throws IOException {
    look(2);
    Files.delete(file);
    look(3);

    assertThat(taken).isEmpty();
    assertThat(watch.state().refusal().orElseThrow().problems())
        .singleElement()
        .asString()
        .contains("policies.yml: is gone; the policies that were read before stay in force");
    assertThat(watch.state().refusal().orElseThrow().since())
        .isEqualTo(START.plus(EVERY.multipliedBy(3)));

    write(policies("first"));
    look(2);
    assertThat(watch.state().refusal()).isEmpty();
    assertThat(taken).isEmpty();
  }

  @Test
  void aFolderInItsPlaceIsNoFile() throws IOException {
    Files.delete(file);
    Files.createDirectory(file);
    look(2);

    assertThat(watch.state().refusal().orElseThrow().problems())
        .singleElement()
        .asString()
        .contains("cannot be read");
  }

  @Test
  void whatCouldNotBePutInForceIsTriedAgain() throws Exception {
    List<Policies> attempts = new ArrayList<>();
    watch =
        watch(
            policies -> {
              attempts.add(policies);
              if (attempts.size() == 1) {
                throw new IllegalStateException("not now");
              }
            });
    write(policies("second"));
    look(1);
    assertThatThrownBy(() -> look(1)).hasMessage("not now");
    assertThat(watch.state().inForceSince()).isEqualTo(START);
    look(1);

    assertThat(attempts).hasSize(2);
    assertThat(watch.state().inForceSince()).isEqualTo(now);
  }

  @Test
  void warningsAreShownAndHinderNothing() throws IOException {
    write(policies("second", "third"));
    look(2);

    assertThat(taken).hasSize(1);
    assertThat(watch.state().warnings())
        .singleElement()
        .asString()
        .contains("policies[1]: (third) is never asked");
  }
}
