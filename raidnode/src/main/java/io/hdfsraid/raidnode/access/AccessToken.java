// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A token as it is kept: with the SHA-256 of the secret, and without the secret. A secret has 256
 * random bits, so that no slow hash is needed to keep anybody from guessing it.
 *
 * @param sha256 of the secret in UTF-8, in hexadecimal digits
 * @param expires when it is no longer valid; empty for never
 */
public record AccessToken(
    String user, Role role, String sha256, Instant created, Optional<Instant> expires) {
  private static final int SECRET_BYTES = 32;
  private static final int ID_DIGITS = 8;
  private static final String PREFIX = "raid-";
  private static final SecureRandom RANDOM = new SecureRandom();

  public AccessToken {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(expires, "expires");
    // A name that is none is a mistake in the file.
    new Person(user, Optional.of(role), KnownBy.TOKEN);
    if (HexFormat.of().parseHex(sha256).length != SECRET_BYTES) {
      throw new IllegalArgumentException("sha256 must have 64 hexadecimal digits");
    }
  }

  /**
   * Returns a new secret. Whoever has it is the user of its token. It is in lower case, and {@link
   * #sha256} does not tell cases apart: on one connection Jetty takes a header that it has seen
   * before for the same whatever the case of its letters, and returns the earlier one.
   */
  static String newSecret() {
    byte[] random = new byte[SECRET_BYTES];
    RANDOM.nextBytes(random);
    return PREFIX + HexFormat.of().formatHex(random);
  }

  static String sha256(String secret) {
    byte[] bytes = secret.toLowerCase(Locale.ROOT).getBytes(UTF_8);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** Returns the beginning of the hash, by which administrators name the token. */
  public String id() {
    return sha256.substring(0, ID_DIGITS);
  }

  /** Takes as long for a wrong hash as for the right one. */
  boolean isOf(String hash) {
    return MessageDigest.isEqual(sha256.getBytes(UTF_8), hash.getBytes(UTF_8));
  }

  public boolean isExpired(Instant now) {
    return expires.filter(end -> !now.isBefore(end)).isPresent();
  }
}
