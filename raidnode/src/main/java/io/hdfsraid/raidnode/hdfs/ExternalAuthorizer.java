// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.ParitySettings.AccessRule;
import io.hdfsraid.recency.hdfs.HdfsPages;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Finds out whether HDFS alone decides who may read a file. With an external authorizer, such as
 * Apache Ranger, a user may be kept from a file whose mode and ACL let him read it. Parity carries
 * mode and ACL only, so it is readable by the daemon alone then. The answer is the setting {@value
 * #PROVIDER} of the active NameNode, asked every hour. Safe for concurrent use.
 */
public final class ExternalAuthorizer implements Supplier<AccessRule> {
  /** The class that decides instead of HDFS. */
  public static final String PROVIDER = "dfs.namenode.inode.attributes.provider.class";

  private static final Logger LOG = LoggerFactory.getLogger(ExternalAuthorizer.class);
  private static final Duration KNOWN_FOR = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final Question question;
  private final AccessRule without;
  private final Clock clock;

  /** What was found out; guarded by this. */
  private AccessRule rule = AccessRule.UNKNOWN;

  private Instant askAgain = Instant.MIN;
  private boolean unanswered;

  /** Asks for the class of the authorizer. */
  @FunctionalInterface
  interface Question {
    /** Returns the name of the class; empty if there is none. */
    Optional<String> ask() throws IOException;
  }

  /**
   * @param without the rule for a cluster without such an authorizer
   */
  ExternalAuthorizer(DistributedFileSystem fs, AccessRule without, Clock clock) {
    this(new NameNodeSetting(fs, new HdfsPages(fs.getConf())), without, clock);
  }

  ExternalAuthorizer(Question question, AccessRule without, Clock clock) {
    this.question = question;
    this.without = without;
    this.clock = clock;
  }

  private record NameNodeSetting(DistributedFileSystem fs, HdfsPages web) implements Question {
    @Override
    public Optional<String> ask() throws IOException {
      return web.find(HdfsPages.ofActive(fs), PROVIDER).map(HdfsPages.Shown::value);
    }
  }

  @Override
  public synchronized AccessRule get() {
    Instant now = clock.instant();
    // A time further away than any pause comes from a clock that was set back since.
    if (askAgain.isBefore(now) || askAgain.isAfter(now.plus(KNOWN_FOR))) {
      look(now);
    }
    return rule;
  }

  private void look(Instant now) {
    try {
      Optional<String> provider = question.ask().filter(name -> !name.isBlank());
      AccessRule found = provider.isPresent() ? AccessRule.DAEMON_ONLY : without;
      if (found != rule && provider.isPresent()) {
        LOG.atWarn()
            .addKeyValue("authorizer", provider.get())
            .log(
                "An external authorizer decides who may read files, so parity is readable by the"
                    + " daemon alone: degraded reads fail for all other users");
      } else if (found != rule) {
        LOG.info("HDFS alone decides who may read files, and parity has the rights of its files");
      }
      rule = found;
      unanswered = false;
      askAgain = now.plus(KNOWN_FOR);
    } catch (IOException e) {
      // What was found out before still holds: the setting changes with a restart only.
      // Said once, until there is an answer.
      LOG.atLevel(unanswered ? Level.DEBUG : Level.WARN)
          .addKeyValue("setting", PROVIDER)
          .addKeyValue("rule", rule)
          .addKeyValue("why", e.getMessage())
          .log(
              "The NameNode does not show whether an external authorizer decides who may read"
                  + " files; while that is unknown, new parity is readable by the daemon alone");
      unanswered = true;
      askAgain = now.plus(PAUSE);
    }
  }
}
