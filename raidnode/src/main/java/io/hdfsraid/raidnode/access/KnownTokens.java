// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that the daemon accepts: those of the file, read again when it changes. A file that
 * became unreadable is logged, and no token is valid until it can be read: a token may have been
 * revoked in it. Safe for concurrent use.
 */
public final class KnownTokens {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTokens.class);

  /** Longer than the steps in which file systems count time. */
  private static final Duration STEP = Duration.ofSeconds(1);

  private final TokensFile file;
  private Optional<FileTime> read = Optional.empty();

  /** Whether a change from now on gives the file another time. */
  private boolean settled = true;

  private List<AccessToken> tokens = List.of();
  private Optional<String> failure = Optional.empty();

  public KnownTokens(TokensFile file) {
    this.file = file;
  }

  /** Returns the token with this secret, which may have expired. */
  public Optional<AccessToken> find(String secret) {
    String hash = AccessToken.sha256(secret);
    return now().stream().filter(token -> token.isOf(hash)).findFirst();
  }

  private synchronized List<AccessToken> now() {
    try {
      Optional<FileTime> changed = file.changed();
      if (!settled || !changed.equals(read) || failure.isPresent()) {
        List<AccessToken> found = file.read();
        if (!found.equals(tokens)) {
          LOG.info("Read {} tokens from {}", found.size(), file);
        }
        tokens = found;
      }
      read = changed;
      settled = changed.filter(at -> at.toInstant().isAfter(Instant.now().minus(STEP))).isEmpty();
      failure = Optional.empty();
    } catch (IOException e) {
      tokens = List.of();
      // Who mends the file need not write it: read again each time, and say each reason once.
      if (!failure.equals(Optional.of(String.valueOf(e.getMessage())))) {
        failure = Optional.of(String.valueOf(e.getMessage()));
        LOG.error("No token is valid until the file of tokens can be read: {}", e.getMessage());
      }
    }
    return tokens;
  }
}
