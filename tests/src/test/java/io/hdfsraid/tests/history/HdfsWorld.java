// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of a daemon on a real HDFS; faults are done to the disks and processes of its nodes. */
final class HdfsWorld implements World {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsWorld.class);
  private static final int BLOCK = 16 << 10;
  private static final int BUFFER = 4_096;
  private static final String SNAPSHOT = "history";

  /** Looks, with a heartbeat and a pause each: longer than HDFS needs to copy and drop replicas. */
  private static final int PATIENCE = 300;

  private static final int LOOKS_UNTIL_CALM = 20;
  private static final long PAUSE_MILLIS = 100;
  private static final int LINES_OF_HISTORY = 60;

  private final Journey journey;
  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem plain;
  private final FileSystem throughLosses;
  private final Path folder;
  private final Map<String, FSDataOutputStream> open = new TreeMap<>();

  /** Replicas that were deleted from their disks, and that the NameNode may still list. */
  private final Set<Long> robbed = new HashSet<>();

  /** Where each block lies on disk, as last looked at; empty when that is to be done. */
  private Map<Long, Map<Integer, java.nio.file.Path>> disks = Map.of();

  private StepListener steps = StepListener.NONE;

  /**
   * @param folder of the files; new
   */
  HdfsWorld(Journey journey, String folder) throws IOException {
    this.journey = journey;
    this.hdfs = journey.hdfs;
    this.plain = hdfs.fileSystem();
    this.folder = new Path(folder);
    Configuration conf = new Configuration(hdfs.configuration());
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    this.throughLosses = FileSystem.newInstance(hdfs.uri(), conf);
    plain.mkdirs(this.folder);
    plain.allowSnapshot(this.folder);
    journey.startDaemon((step, subject) -> steps.reached(step, subject));
  }

  @Override
  public int blockSize() {
    return BLOCK;
  }

  @Override
  public int readsPerEvent() {
    return 2;
  }

  @Override
  public int nodes() {
    return hdfs.dataNodes().size();
  }

  @Override
  public int patience() {
    return PATIENCE;
  }

  @Override
  public void create(String path, byte[] bytes, int replication) throws IOException {
    boolean overwrite = true;
    try (FSDataOutputStream out =
        plain.create(new Path(path), overwrite, BUFFER, (short) replication, BLOCK)) {
      out.write(bytes);
    }
  }

  @Override
  public void append(String path, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = plain.append(new Path(path))) {
      out.write(bytes);
    }
  }

  @Override
  public void appendAndStayOpen(String path, byte[] bytes) throws IOException {
    FSDataOutputStream out = plain.append(new Path(path));
    open.put(path, out);
    out.write(bytes);
    ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
  }

  @Override
  public void closeFile(String path) throws IOException {
    open.remove(path).close();
  }

  @Override
  public void truncate(String path, int length) throws IOException {
    if (!plain.truncate(new Path(path), length)) {
      Journey.until(() -> plain.isFileClosed(new Path(path)), () -> path + " to be truncated");
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    plain.rename(new Path(from), new Path(to), Options.Rename.OVERWRITE);
  }

  @Override
  public void delete(String path) throws IOException {
    boolean recursive = false;
    if (!plain.delete(new Path(path), recursive)) {
      throw new IOException("HDFS did not delete " + path);
    }
  }

  @Override
  public void concat(String target, String source) throws IOException {
    plain.concat(new Path(target), new Path[] {new Path(source)});
  }

  @Override
  public void setReplication(String path, int replication) throws IOException {
    if (!plain.setReplication(new Path(path), (short) replication)) {
      throw new IOException("HDFS did not set the replication of " + path);
    }
  }

  @Override
  public void snapshot() throws IOException {
    plain.createSnapshot(folder, SNAPSHOT);
  }

  @Override
  public void deleteSnapshot() throws IOException {
    plain.deleteSnapshot(folder, SNAPSHOT);
  }

  @Override
  public byte[] readInSnapshot(String path) throws IOException {
    return read(
        plain,
        "%s/.snapshot/%s/%s"
            .formatted(folder.toUri().getPath(), SNAPSHOT, new Path(path).getName()));
  }

  @Override
  public byte[] read(String path) throws IOException {
    return read(throughLosses, path);
  }

  @Override
  public byte[] readPlain(String path) throws IOException {
    return read(plain, path);
  }

  private static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  @Override
  public void stop(int node) throws IOException {
    hdfs.stopDataNode(node);
    hdfs.declareDead(node);
  }

  @Override
  public void start(int node) throws IOException {
    hdfs.restartDataNode(node);
  }

  @Override
  public void moveRoot() throws IOException {
    journey.moveRoot();
  }

  @Override
  public void returnRoot() throws IOException {
    journey.returnRoot();
  }

  @Override
  public boolean isRootAway() throws IOException {
    return journey.isRootAway();
  }

  @Override
  public void deleteRoot() throws IOException {
    journey.deleteRoot();
  }

  @Override
  public void setClockOff(Duration difference) {
    boolean back = difference.compareTo(journey.clock.off()) < 0;
    journey.clock.setOff(difference);
    if (back) {
      journey.catalog().repairs().wakePostponed(); // as the daemon's schedule has it
    }
  }

  @Override
  public boolean authorize(boolean external) {
    journey.authorizeExternally(external);
    return true;
  }

  @Override
  public List<String> readableParity() throws IOException {
    return journey.readableParity();
  }

  @Override
  public boolean isUp(int node) {
    return hdfs.isRunning(node);
  }

  @Override
  public void deleteReplica(Block block, int node) throws IOException {
    robbed.add(block.id());
    hdfs.deleteReplica(block.id(), node);
  }

  @Override
  public void rot(Block block, int node) throws IOException {
    hdfs.corruptReplica(block.id(), node);
  }

  @Override
  public List<Copy> copies(Block block, int crc) throws IOException {
    List<Copy> copies = new ArrayList<>();
    for (var file : disks().getOrDefault(block.id(), Map.of()).entrySet()) {
      copies.add(new Copy(file.getKey(), isSound(file.getValue(), block.length(), crc)));
    }
    return copies;
  }

  private Map<Long, Map<Integer, java.nio.file.Path>> disks() {
    if (disks.isEmpty()) {
      disks = new HashMap<>();
      for (int node = 0; node < nodes(); node++) {
        for (var file : hdfs.replicaFiles(node).entrySet()) {
          disks.computeIfAbsent(file.getKey(), id -> new TreeMap<>()).put(node, file.getValue());
        }
      }
    }
    return disks;
  }

  @Override
  public void look() {
    disks = Map.of();
  }

  private static boolean isSound(java.nio.file.Path file, long length, int crc) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return false; // deleted since it was listed
    }
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, (int) Math.min(length, bytes.length));
    return bytes.length >= length && (int) sum.getValue() == crc;
  }

  @Override
  public void timePasses() throws IOException {
    hdfs.triggerHeartbeats();
    pause();
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while HDFS was at work");
    }
  }

  @Override
  public boolean calm() throws IOException {
    int calm = 0;
    for (int look = 0; look < LOOKS_UNTIL_CALM && calm < 2; look++) {
      timePasses();
      calm = isCalm() ? calm + 1 : 0;
    }
    return calm == 2;
  }

  /** No replica is on its way or condemned, as far as NameNode and disks tell. */
  private boolean isCalm() throws IOException {
    look();
    if (plain.getClient().getPendingDeletionBlocksCount() > 0) {
      return false;
    }
    for (LocatedFile file : files()) {
      for (LocatedBlock block : file.blocks()) {
        Set<Integer> onDisk = new HashSet<>();
        disks().getOrDefault(block.block().id(), Map.of()).keySet().stream()
            .filter(this::isUp)
            .forEach(onDisk::add);
        Set<Integer> listed = new HashSet<>();
        block.holders().forEach(node -> listed.add(hdfs.dataNodeAt(node.address()).index()));
        boolean known =
            robbed.contains(block.block().id())
                ? listed.containsAll(onDisk)
                : listed.equals(onDisk);
        boolean enough = block.isLost() || block.live().size() == file.replication();
        if (!known || !enough) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public String describe() throws IOException {
    look();
    List<String> lines = new ArrayList<>();
    for (LocatedFile file : files()) {
      lines.add("%s, in the catalog %s".formatted(file, journey.record(file.inode())));
      for (LocatedBlock block : file.blocks()) {
        long id = block.block().id();
        lines.add("  %s, on the disks of %s".formatted(block, disks().getOrDefault(id, Map.of())));
      }
    }
    journey
        .catalog()
        .history()
        .newest(Optional.empty(), any -> true, LINES_OF_HISTORY, LINES_OF_HISTORY)
        .forEach(line -> lines.add(line.outcome().toString()));
    return String.join(System.lineSeparator(), lines);
  }

  private List<LocatedFile> files() throws IOException {
    List<String> paths = new ArrayList<>();
    for (FileStatus file : plain.listStatus(folder)) {
      paths.add(file.getPath().toUri().getPath());
    }
    List<LocatedFile> files = new ArrayList<>();
    for (String path : paths) {
      access().namespace().file(path).ifPresent(files::add);
    }
    if (isRootAway()) {
      return files; // what becomes of the parity is seen when it is back
    }
    List<Long> inodes = new ArrayList<>();
    access().parity().forEach(inodes::add);
    for (long inode : inodes) {
      access().parity().find(inode).ifPresent(parity -> files.add(parity.file()));
    }
    return files;
  }

  @Override
  public ClusterAccess access() {
    return journey.cluster().access();
  }

  @Override
  public void raid(long inode, Protection protection) throws IOException {
    journey.jobs().select().raider().raid(inode, protection, "history");
  }

  @Override
  public void raidTogether(List<Long> inodes, Protection protection) throws IOException {
    journey.jobs().select().raider().raidTogether(inodes, protection, "history");
  }

  @Override
  public void unraid(long inode) throws IOException {
    journey.jobs().upkeep().reconciler().unraid(inode, "history");
  }

  @Override
  public void round() throws IOException {
    checkOwner();
    journey.jobs().detection().integrity().runAsking();
    journey.jobs().repair().job().run();
  }

  /**
   * Passes the fence, as a job of the daemon does every ten seconds: that remakes a deleted root.
   */
  private void checkOwner() {
    try {
      access().fence().pass();
    } catch (IOException e) {
      LOG.debug("The fence was not passed", e);
    }
  }

  @Override
  public void sweep() throws IOException {
    journey.jobs().upkeep().cleanUp().run();
  }

  @Override
  public void listen(StepListener listener) {
    steps = listener;
  }

  @Override
  public void restartDaemon() throws IOException {
    journey.stopDaemon();
    returnRoot(); // a daemon that starts without a root makes another one
    journey.startDaemon((step, subject) -> steps.reached(step, subject));
  }

  @Override
  public void close() throws IOException {
    journey.stopDaemon();
    throughLosses.close();
  }
}
