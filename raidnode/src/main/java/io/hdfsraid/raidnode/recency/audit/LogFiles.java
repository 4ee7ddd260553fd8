package io.hdfsraid.raidnode.recency.audit;

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

/** The files of one log: the one that is written to, and those that it was before. */
final class LogFiles {
  /** Renaming all files of a log takes a moment. */
  private static final int LOOKS = 10;

  private final Path live;
  private final AuditLines lines;

  /** One that was written later may be another within a tick of the clock that dates files. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  /** What was found at a path, as long as it does not change: history is looked at once. */
  private final Map<Path, Known> known = new HashMap<>();

  /** Which file was found at a path, and what is in it. */
  private record Known(Object key, LogFile file) {}

  LogFiles(Path live, AuditLines lines) {
    this.live = live;
    this.lines = lines;
  }

  /**
   * Those that are there, in the order in which they were written, by the times in them; of copies
   * only one.
   *
   * @throws NoSuchFileException when there is no such directory
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
    throw new IOException("The files of %s are renamed all the time".formatted(live));
  }

  /** What is there, by name, and which file that is. */
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
    // The best of copies first: unpacked, then the largest, which is the one that is complete.
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
