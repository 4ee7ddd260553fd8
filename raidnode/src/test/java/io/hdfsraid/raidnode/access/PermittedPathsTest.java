// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidnode.access.PermittedPaths.Sight;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PermittedPathsTest {
  private final ModesOfDirectories hdfs =
      new ModesOfDirectories()
          .with("/", "hdfs", true, true)
          .with("/open", "hdfs", true, true)
          .with("/own", "ann", false, false)
          .with("/own/below", "hdfs", true, true)
          .with("/team", "ann", true, false)
          .member("bob", "staff");
  private final AtomicBoolean answers = new AtomicBoolean(true);
  private final AtomicLong nanos = new AtomicLong();
  private final PermittedPaths paths = new PermittedPaths(hdfs, answers::get, nanos::get);

  private static Person viewer(String name) {
    return new Person(name, Optional.of(Role.VIEWER), KnownBy.TOKEN);
  }

  private boolean shows(String user, String path) throws IOException {
    return paths.of(viewer(user)).shows(path);
  }

  @Test
  void aNameIsSeenByWhoMayListEveryDirectoryAboveIt() throws IOException {
    assertThat(shows("ann", "/own/below/file")).isTrue();
    assertThat(shows("bob", "/own/below/file")).isFalse();
    assertThat(shows("bob", "/own/file")).isFalse();
    assertThat(shows("bob", "/own")).as("its name is in the root").isTrue();
    assertThat(shows("bob", "/team/file")).as("by group").isTrue();
    assertThat(shows("cyd", "/team/file")).isFalse();
    assertThat(shows("cyd", "/open/file")).isTrue();
    assertThat(shows("cyd", "/open/gone/file")).as("nobody knows who might have").isFalse();
  }

  @Test
  void aDirectoryIsOpenedByWhoMayListIt() throws IOException {
    assertThat(paths.of(viewer("bob")).opens("/own")).isFalse();
    assertThat(paths.of(viewer("ann")).opens("/own")).isTrue();
    assertThat(paths.of(viewer("cyd")).opens("/open/file")).isTrue();
    assertThat(paths.of(viewer("bob")).opens("/own/file")).isFalse();
  }

  @Test
  void theFirstClassThatAUserBelongsToDecides() {
    ListRights rights =
        new ListRights(
            "ann",
            false,
            Map.of("bob", false, "cyd", true),
            Map.of("staff", false, "board", true),
            true);
    assertThat(rights.allow(user("ann", "board"))).as("the owner").isFalse();
    assertThat(rights.allow(user("bob", "board"))).as("a named user").isFalse();
    assertThat(rights.allow(user("cyd", "staff"))).as("a named user").isTrue();
    assertThat(rights.allow(user("dee", "staff"))).as("a member is none of the others").isFalse();
    assertThat(rights.allow(user("dee", "staff", "board"))).as("one group is enough").isTrue();
    assertThat(rights.allow(user("dee", "none"))).as("others").isTrue();
  }

  private static HdfsUser user(String name, String... groups) {
    return new HdfsUser(java.util.Optional.of(name), java.util.Set.of(groups));
  }

  @Test
  void aNameThatNothingProvesIsWorthNothing() throws IOException {
    Sight sight = paths.of(new Person("ann", Optional.of(Role.VIEWER), KnownBy.UNPROVEN));
    assertThat(sight.shows("/own/file")).isFalse();
    assertThat(sight.shows("/team/file")).isFalse();
    assertThat(sight.shows("/open/file")).isTrue();
    assertThat(hdfs.asked).doesNotContain("ann");
  }

  @Test
  void nothingIsSeenWhereSomethingElseThanHdfsDecides() throws IOException {
    hdfs.decide = false;
    assertThat(shows("ann", "/own/file")).isFalse();
    assertThat(shows("ann", "/own")).isFalse();
  }

  @Test
  void whatWasAskedIsKeptForAWhileAndNotLonger() throws IOException {
    for (int i = 0; i < 100; i++) {
      assertThat(shows("cyd", "/open/" + i)).isTrue();
    }
    assertThat(hdfs.asked).containsExactlyInAnyOrder("/", "/open", "cyd");
    hdfs.with("/open", "ann", false, false);
    nanos.addAndGet(PermittedPaths.KEPT.toNanos() + 1);
    assertThat(shows("cyd", "/open/1")).isFalse();
  }

  @Test
  void anEndlessAnswerDoesNotFloodTheNameNode() throws IOException {
    Sight sight = paths.of(viewer("ann"));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i <= PermittedPaths.MOST_ASKED; i++) {
                sight.shows("/open/%d/file".formatted(i));
              }
            })
        .isInstanceOf(PermittedPaths.TooManyException.class);
    assertThat(hdfs.asked).hasSize(PermittedPaths.MOST_ASKED + 1); // and once for the groups
    assertThat(shows("ann", "/open/0")).as("another request").isTrue();
  }

  @Test
  void whatTheNameNodeDoesNotSayIsNotSeen() {
    hdfs.fails = true;
    assertThatThrownBy(() -> shows("ann", "/own/file")).hasMessage("standby");
    hdfs.asked.clear();
    answers.set(false);
    assertThatThrownBy(() -> shows("ann", "/own/file"))
        .as("what a request answers as an outage")
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("does not answer");
    assertThat(hdfs.asked).isEmpty();
  }

  @Test
  void whatCannotBeADirectoryIsNotAskedFor() throws IOException {
    assertThat(shows("ann", "/open/../own/file")).isFalse();
    assertThat(shows("ann", "/open//own/file")).isFalse();
    assertThat(shows("ann", "/.reserved/.inodes/7/file")).isFalse();
    assertThat(shows("ann", "/open/a\nb/file")).isFalse();
    assertThat(hdfs.asked).containsOnly("/", "/open", "ann");
  }
}
