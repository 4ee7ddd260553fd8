// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsraid.raidapi.ApiJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The file of tokens, in JSON. Only its owner may read or write it. It is replaced as a whole, so
 * that a reader never sees half of it.
 */
public final class TokensFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path path;
  private final Clock clock;
  private final ObjectMapper json = ApiJson.ofFiles().enable(SerializationFeature.INDENT_OUTPUT);

  private record Content(List<AccessToken> tokens) {}

  /** A token that was just created, with its secret, which nobody can find out later. */
  public record NewToken(AccessToken token, String secret) {}

  public TokensFile(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
  }

  /**
   * Returns all tokens, none if the file does not exist.
   *
   * @throws IOException if it cannot be read, or if others than its owner can
   */
  public List<AccessToken> read() throws IOException {
    requireOwnerOnly();
    try {
      Content content = json.readValue(Files.readAllBytes(path), Content.class);
      if (content == null || (content.tokens() != null && content.tokens().contains(null))) {
        throw new IOException("%s is not a file of tokens".formatted(path));
      }
      return content.tokens() == null ? List.of() : List.copyOf(content.tokens());
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (JacksonException e) {
      throw new IOException(
          "%s is not a file of tokens: %s".formatted(path, e.getOriginalMessage()), e);
    }
  }

  private void requireOwnerOnly() throws IOException {
    PosixFileAttributeView posix = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (posix == null || !Files.exists(path)) {
      return;
    }
    if (!OWNER_ONLY.containsAll(posix.readAttributes().permissions())) {
      throw new IOException(
          "%s is open to others than its owner: chmod 600 %s".formatted(path, path));
    }
  }

  /**
   * Returns when the file was changed last; empty if it does not exist.
   *
   * @throws IOException if others than its owner can read or write it
   */
  Optional<FileTime> changed() throws IOException {
    requireOwnerOnly();
    try {
      return Optional.of(Files.getLastModifiedTime(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Creates a token and adds it to the file.
   *
   * @param lasts how long it is valid; empty for ever
   */
  public NewToken create(String user, Role role, Optional<Duration> lasts) throws IOException {
    String secret = AccessToken.newSecret();
    Instant now = clock.instant();
    AccessToken token =
        new AccessToken(user, role, AccessToken.sha256(secret), now, lasts.map(now::plus));
    List<AccessToken> tokens = new ArrayList<>(read());
    tokens.add(token);
    write(tokens);
    return new NewToken(token, secret);
  }

  /** Removes a token. Returns it; empty if there is none with this id. */
  public Optional<AccessToken> revoke(String id) throws IOException {
    List<AccessToken> tokens = new ArrayList<>(read());
    Optional<AccessToken> revoked =
        tokens.stream().filter(token -> token.id().equals(id)).findFirst();
    if (revoked.isPresent()) {
      tokens.remove(revoked.get());
      write(tokens);
    }
    return revoked;
  }

  private void write(List<AccessToken> tokens) throws IOException {
    Path folder = Files.createDirectories(path.toAbsolutePath().getParent());
    Path whole =
        Files.createTempFile(
            folder, "tokens", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      // On the disk before it replaces the old one, or a crash could bring an empty file.
      Files.write(
          whole,
          json.writeValueAsBytes(new Content(tokens)),
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
