// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;

/**
 * The replica files in the storage directories of one DataNode, read and changed without asking the
 * DataNode.
 */
record Replicas(List<Path> storages) {
  private static final Pattern DATA_FILE = Pattern.compile("blk_(\\d+)");

  /** So many bytes are flipped at most: within one checksum chunk, as rot does. */
  private static final int FLIPPED = 16;

  /** Looks where a DataNode keeps a block of this id, and not at all its files. */
  Optional<Path> dataFile(long blockId) {
    return storages.stream()
        .flatMap(storage -> entries(storage.resolve("current")))
        .filter(entry -> entry.getFileName().toString().startsWith("BP-"))
        .flatMap(pool -> directories(pool, blockId))
        .map(directory -> directory.resolve("blk_" + blockId))
        .filter(Files::exists)
        .findFirst();
  }

  /** The directories of a block pool for finished replicas and for those being written. */
  private static Stream<Path> directories(Path pool, long blockId) {
    Path current = pool.resolve("current");
    File finalized = current.resolve(DataStorage.STORAGE_DIR_FINALIZED).toFile();
    return Stream.of(
        DatanodeUtil.idToBlockDir(finalized, blockId).toPath(),
        current.resolve(DataStorage.STORAGE_DIR_RBW),
        pool.resolve(DataStorage.STORAGE_DIR_TMP));
  }

  /** All data files, by block id. */
  Map<Long, Path> dataFiles() {
    Map<Long, Path> files = new HashMap<>();
    walk()
        .forEach(
            file -> {
              Matcher data = DATA_FILE.matcher(file.getFileName().toString());
              if (data.matches()) {
                files.put(Long.parseLong(data.group(1)), file);
              }
            });
    return files;
  }

  /** Data file first; empty when there is none. */
  List<Path> files(long blockId) {
    return dataFile(blockId)
        .map(data -> Stream.concat(Stream.of(data), siblings(data)).toList())
        .orElse(List.of());
  }

  void delete(long blockId) throws IOException {
    for (Path file : files(blockId)) {
      Files.delete(file);
    }
  }

  void corrupt(long blockId, long offset) throws IOException {
    Path file = dataFile(blockId).orElseThrow();
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] bytes = new byte[(int) Math.min(FLIPPED, data.length() - offset)];
      data.seek(offset);
      data.readFully(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
      data.seek(offset);
      data.write(bytes);
    }
  }

  /** Replaces bytes and checksums by those of another block of the same length. */
  void overwrite(long blockId, List<Path> otherFiles) throws IOException {
    List<Path> own = files(blockId);
    for (int i = 0; i < own.size(); i++) {
      Files.copy(otherFiles.get(i), own.get(i), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Length of all block and checksum files. */
  long bytes() {
    return walk()
        .filter(file -> file.getFileName().toString().startsWith("blk_"))
        .mapToLong(
            file -> {
              try {
                return Files.size(file);
              } catch (IOException e) {
                return 0; // deleted by the DataNode since it was listed
              }
            })
        .sum();
  }

  private static Stream<Path> siblings(Path data) {
    String prefix = data.getFileName() + "_";
    try (Stream<Path> files = Files.list(data.getParent())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Stream<Path> walk() {
    return storages.stream().flatMap(storage -> filesBelow(storage.resolve("current")));
  }

  private static Stream<Path> filesBelow(Path directory) {
    return entries(directory)
        .flatMap(entry -> Files.isDirectory(entry) ? filesBelow(entry) : Stream.of(entry));
  }

  /** Empty if there is no such directory: {@code Files.walk} fails if the DataNode deletes one. */
  private static Stream<Path> entries(Path directory) {
    try (Stream<Path> list = Files.list(directory)) {
      return Stream.of(list.toArray(Path[]::new));
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
