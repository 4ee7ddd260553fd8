// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.version;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Properties;

/**
 * The sources that this copy of HDFS-RAID was built from.
 *
 * @param version {@code development} outside of a jar
 * @param commit id of the commit in Git; empty if it was not built in a checkout
 * @param committedAt time of that commit. A build has no time of its own, so that each build of the
 *     same sources has the same bytes
 */
public record Build(String version, Optional<String> commit, Optional<Instant> committedAt) {
  private static final String WRITTEN_BY_MAVEN = "build.properties";

  /** Returns the build that this class is in. */
  public static Build current() {
    Properties written = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(WRITTEN_BY_MAVEN)) {
      if (in != null) {
        written.load(in);
      }
    } catch (IOException e) {
      written.clear(); // a broken jar says less about itself
    }
    return new Build(
        Optional.ofNullable(Build.class.getPackage().getImplementationVersion())
            .orElse("development"),
        Optional.ofNullable(written.getProperty("git.commit.id")),
        time(written.getProperty("git.commit.time")));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Returns version and commit for people. */
  @Override
  public String toString() {
    return version
        + commit.map(id -> ", commit " + id).orElse("")
        + committedAt.map(at -> " of " + at).orElse("");
  }
}
