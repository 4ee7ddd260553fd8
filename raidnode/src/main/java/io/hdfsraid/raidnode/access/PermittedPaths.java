// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.hdfsraid.raidapi.Requests;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/**
 * Decides whose names of files and directories a person may see: those that HDFS would let this
 * person list. What HDFS says is kept for {@link #KEPT}. Safe for concurrent use.
 */
public final class PermittedPaths {
  /** How long a change of permissions in HDFS may take to show. */
  public static final Duration KEPT = Duration.ofSeconds(30);

  /** Most directories to ask the NameNode about for one request; others of it must be known. */
  static final int MOST_ASKED = 2_000;

  private static final int MOST_DIRECTORIES = 20_000;
  private static final int MOST_USERS = 1_000;

  /** Resolves to inodes by their ids, and to the raw bytes of files. */
  private static final String RESERVED = "/.reserved";

  private final HdfsPermissions permissions;
  private final BooleanSupplier answers;
  private final LoadingCache<String, Optional<ListRights>> directories;
  private final LoadingCache<String, Set<String>> groups;

  /**
   * @param answers whether the NameNode answers, as it was seen last. While it does not, nobody
   *     waits for it
   */
  public PermittedPaths(HdfsPermissions permissions, BooleanSupplier answers) {
    this(permissions, answers, Ticker.systemTicker());
  }

  PermittedPaths(HdfsPermissions permissions, BooleanSupplier answers, Ticker ticker) {
    this.permissions = permissions;
    this.answers = answers;
    this.directories = kept(MOST_DIRECTORIES, ticker).build(permissions::of);
    this.groups = kept(MOST_USERS, ticker).build(permissions::groups);
  }

  /** Returns paths of which viewers see none, for a daemon that cannot ask HDFS. */
  public static PermittedPaths none() {
    return new PermittedPaths(
        new HdfsPermissions() {
          @Override
          public boolean decide() {
            return false;
          }

          @Override
          public Optional<ListRights> of(String directory) {
            return Optional.empty();
          }

          @Override
          public Set<String> groups(String user) {
            return Set.of();
          }
        },
        () -> true);
  }

  private static Caffeine<Object, Object> kept(int most, Ticker ticker) {
    return Caffeine.newBuilder().maximumSize(most).expireAfterWrite(KEPT).ticker(ticker);
  }

  /** Thrown when one request needs the permissions of too many directories. */
  public static final class TooManyException extends IOException {
    private static final long serialVersionUID = 1;

    TooManyException() {
      super(
          "The answer has names from more than %d directories that HDFS has to be asked about"
              .formatted(MOST_ASKED));
    }
  }

  /** Returns the names that a person may see during one request. */
  public Sight of(Person person) {
    return new Sight(person);
  }

  /** The names that one person may see during one request. Used by one thread. */
  public final class Sight {
    private final Person person;
    private HdfsUser user;
    private int asked;

    private Sight(Person person) {
      this.person = person;
    }

    /**
     * Returns whether the person may list every directory above a path, and so can learn that there
     * is something there. What is at the path itself makes no difference.
     *
     * @throws ConnectException if the NameNode does not answer
     * @throws IOException if the NameNode does not say, or if it was asked too often
     */
    public boolean shows(String path) throws IOException {
      if (!answers.getAsBoolean()) {
        throw new ConnectException(
            "The NameNode does not answer, so it is unknown who may list what");
      }
      if (!permissions.decide()) {
        return false;
      }
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        Optional<ListRights> rights = rights(slash == 0 ? "/" : path.substring(0, slash));
        if (rights.isEmpty() || !rights.get().allow(user())) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns whether the person may see what is at a path and below it.
     *
     * @throws IOException if the NameNode does not say
     */
    public boolean opens(String path) throws IOException {
      if (!shows(path)) {
        return false;
      }
      Optional<ListRights> directory = rights(path);
      return directory.isEmpty() || directory.get().allow(user()); // else a file, or nothing
    }

    private Optional<ListRights> rights(String directory) throws IOException {
      if (!canBe(directory)) {
        return Optional.empty();
      }
      if (directories.getIfPresent(directory) == null) {
        if (asked == MOST_ASKED) {
          throw new TooManyException();
        }
        asked++;
      }
      return ask(directories, directory);
    }

    private HdfsUser user() throws IOException {
      if (user == null) {
        user =
            person.known() != KnownBy.UNPROVEN
                ? new HdfsUser(Optional.of(person.user()), ask(groups, person.user()))
                : HdfsUser.UNKNOWN;
      }
      return user;
    }
  }

  private static <V> V ask(LoadingCache<String, V> kept, String key) throws IOException {
    try {
      return kept.get(key);
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /** Returns whether there can be a directory with that name; parts of sentences are none. */
  private static boolean canBe(String directory) {
    if (directory.startsWith(RESERVED)
        || (directory.endsWith("/") && directory.length() > 1)
        || directory.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    try {
      Requests.absolute(directory);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
