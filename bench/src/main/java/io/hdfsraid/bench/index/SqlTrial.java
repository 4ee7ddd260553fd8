// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.recency.namespace.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Measures an SQLite table with an index on access time, in a process of its own. */
public final class SqlTrial {
  static final List<String> TUNING =
      List.of(
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
          "PRAGMA cache_size = -262144",
          "PRAGMA mmap_size = 1073741824",
          "PRAGMA temp_store = MEMORY");

  static final int BATCH = 10_000;

  private final Connection sql;
  private final Path file;
  private final HiveNamespace namespace;

  private SqlTrial(Connection sql, Path file, HiveNamespace namespace) {
    this.sql = sql;
    this.file = file;
    this.namespace = namespace;
  }

  /** Arguments: a folder, files, a seed, and how many thousand changes of access times. */
  public static void main(String[] arguments) throws SQLException, IOException {
    IndexTrial.endWithStandardInput();
    Path file = Files.createDirectories(Path.of(arguments[0])).resolve("files.db");
    HiveNamespace namespace =
        new HiveNamespace(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
    try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      new SqlTrial(sql, file, namespace).run(Integer.parseInt(arguments[3]) * 1000);
    }
  }

  private void run(int changes) throws SQLException, IOException {
    try (Statement statement = sql.createStatement()) {
      for (String tuning : TUNING) {
        statement.execute(tuning);
      }
      statement.execute(
          "CREATE TABLE files (inode INTEGER PRIMARY KEY, path TEXT NOT NULL, length INTEGER,"
              + " replication INTEGER, mtime INTEGER, atime INTEGER, owner TEXT)");
    }
    sql.setAutoCommit(false);
    Reply.say("files", (double) namespace.files());
    bootstrap();
    Reply.say("bytes", (double) Files.size(file));
    pick();
    follow(changes);
  }

  private void bootstrap() throws SQLException {
    long start = System.nanoTime();
    try (PreparedStatement insert =
        sql.prepareStatement("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      long inserted = 0;
      for (long leaf = 0; leaf < namespace.leaves(); leaf++) {
        for (int each = 0; each < HiveNamespace.FILES_IN_DIRECTORY; each++) {
          long id = namespace.fileId(leaf, each);
          FileAttributes attributes = namespace.attributes(id);
          insert.setLong(1, id);
          insert.setString(2, namespace.filePath(leaf, each));
          insert.setLong(3, attributes.length());
          insert.setInt(4, attributes.replication());
          insert.setLong(5, attributes.modified());
          insert.setLong(6, attributes.lastUsed());
          insert.setString(7, attributes.owner());
          insert.addBatch();
          if (++inserted % BATCH == 0) {
            insert.executeBatch();
            sql.commit();
            Reply.say("INSERTING", (double) inserted);
          }
        }
      }
      insert.executeBatch();
      sql.commit();
    }
    try (Statement statement = sql.createStatement()) {
      // After the rows, which is the fastest way.
      statement.execute("CREATE UNIQUE INDEX by_path ON files (path)");
      statement.execute("CREATE INDEX by_access ON files (atime)");
      sql.commit();
      sql.setAutoCommit(true);
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      sql.setAutoCommit(false);
    }
    Reply.say("bootstrap", seconds(start));
  }

  private void pick() throws SQLException {
    double[] picks = new double[IndexTrial.PICKS];
    for (int i = 0; i < picks.length; i++) {
      long start = System.nanoTime();
      List<String> coldest = new ArrayList<>();
      try (PreparedStatement select =
          sql.prepareStatement("SELECT path FROM files ORDER BY atime LIMIT ?")) {
        select.setInt(1, IndexTrial.PICKED);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            coldest.add(rows.getString(1));
          }
        }
      }
      if (coldest.size() != IndexTrial.PICKED) {
        throw new IllegalStateException("Only %d files were picked".formatted(coldest.size()));
      }
      picks[i] = 1e3 * seconds(start);
    }
    Reply.say("pick", picks);
  }

  private void follow(int changes) throws SQLException {
    EventStream stream = new EventStream(namespace, 1);
    List<Double> rates = new ArrayList<>();
    try (PreparedStatement update =
        sql.prepareStatement("UPDATE files SET atime = ? WHERE path = ?")) {
      for (int done = 0; done < changes; done += BATCH) {
        List<String> paths = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
          paths.add(stream.read());
        }
        long start = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
          update.setLong(1, HiveNamespace.end() + done + i);
          update.setString(2, paths.get(i));
          update.addBatch();
        }
        update.executeBatch();
        sql.commit();
        rates.add(BATCH / seconds(start));
        Reply.say("UPDATING", done + (double) BATCH);
      }
    }
    Reply.say("events", rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
