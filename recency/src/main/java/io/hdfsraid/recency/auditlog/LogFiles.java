// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The files of one log: the present one and the rotated ones. */
final class LogFiles {
  /** A rotation that renames all files takes a moment. */
  private static final int LOOKS = 10;

  private final Path live;
  private final AuditLineReader lines;

  /** A younger file may change again within the resolution of file times. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  /** The file that was found at a path, until it changes; old files are read once. */
  private final Map<Path, Known> known = new HashMap<>();

  /** A file that was found at a path. */
  private record Known(Object key, LogFile file) {}

  LogFiles(Path live, AuditLineReader lines) {
    this.live = live;
    this.lines = lines;
  }

  /**
   * Returns the files in the order of the times in them, without copies.
   *
   * @throws NoSuchFileException if the directory does not exist
   */
  List<LogFile> inOrder() throws IOException {
    Map<Path, Object> before = names();
    for (int i = 0; i < LOOKS; i++) {
      Map<Path, LogFile> found = new HashMap<>();
      for (Path path : before.keySet()) {
        look(path, before.get(path)).ifPresent(file -> found.put(path, file));
      }
      Map<Path, Object> after = names();
      if (after.equals(before)) {
        known.clear();
        long settled = System.currentTimeMillis() - SETTLED.toMillis();
        found.forEach(
            (path, file) -> {
              if (file.modified() < settled) {
                known.put(path, new Known(after.get(path), file));
              }
            });
        return ordered(found.values());
      }
      before = after; // while they are renamed, one of them may be seen twice or not at all
    }
    throw new IOException("The files of %s keep being renamed".formatted(live));
  }

  /** Lists the files by name. */
  private Map<Path, Object> names() throws IOException {
    Map<Path, Object> names = new HashMap<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(live.getParent(), this::isOfThisLog)) {
      for (Path path : all) {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isRegularFile()) {
          names.put(path, Objects.requireNonNullElse(attributes.fileKey(), path));
        }
      }
    } catch (NoSuchFileException e) {
      if (!Files.isDirectory(live.getParent())) {
        throw e;
      }
      names.put(Path.of(String.valueOf(e.getFile())), e); // renamed just now: look again
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  private static List<LogFile> ordered(Collection<LogFile> found) {
    List<LogFile> files = new ArrayList<>(found);
    // The best of several copies comes first: uncompressed, then the largest, which is complete.
    files.sort(
        Comparator.comparingLong(LogFile::start)
            .thenComparing(LogFile::packed)
            .thenComparing(Comparator.comparingLong(LogFile::size).reversed()));
    List<LogFile> once = new ArrayList<>();
    for (LogFile file : files) {
      if (once.stream().noneMatch(file::isCopyOf)) {
        once.add(file);
      }
    }
    return once;
  }

  private boolean isOfThisLog(Path path) {
    String name = path.getFileName().toString();
    String own = live.getFileName().toString();
    return name.equals(own) || name.startsWith(own + ".") || name.startsWith(own + "-");
  }

  private Optional<LogFile> look(Path path, Object key) throws IOException {
    try {
      Known before = known.get(path);
      return before != null
              && before.key().equals(key)
              && before
                  .file()
                  .unchanged(Files.size(path), Files.getLastModifiedTime(path).toMillis())
          ? Optional.of(before.file())
          : LogFile.look(path, lines);
    } catch (NoSuchFileException e) { // renamed since it was listed: found next time
      return Optional.empty();
    }
  }
}
