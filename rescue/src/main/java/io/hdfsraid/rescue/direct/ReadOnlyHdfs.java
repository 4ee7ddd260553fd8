// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.KnownFaults;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.blockfixer.hdfs.BlockKeyTokens;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.ObserverNameNodes;
import io.hdfsraid.drfs.hdfs.ParityReader;
import io.hdfsraid.drfs.hdfs.ReadTokens;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.hdfs.FsckBlockHolders;
import io.hdfsraid.raidnode.hdfs.HdfsDetachedBlocks;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;

/**
 * Reads an HDFS with the rights of the current user. It takes no ownership and writes nothing, so a
 * RaidNode may run at the same time. Its file system reads through parity.
 */
final class ReadOnlyHdfs implements Closeable {
  private static final int ASKED_AT_ONCE = 32;

  /** A look-up of a file without parity takes one call only. */
  private static final int CALLS_TO_FIND = 2;

  private final DistributedRaidFileSystem fs;
  private final Optional<BlockKeyTokens> keys;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(ASKED_AT_ONCE, ReadOnlyHdfs::thread);
  private final NameNodeCalls calls = new NameNodeCalls();
  private final Namespace namespace;
  private final ParityReader parities;
  private final DataNodes dataNodes;
  private final IntegrityCheck check;

  private ReadOnlyHdfs(
      DistributedRaidFileSystem fs,
      String root,
      Optional<BlockKeyTokens> keys,
      long callsPerSecond) {
    this.fs = fs;
    this.keys = keys;
    this.calls.set(callsPerSecond);
    this.namespace = new HdfsNamespace(fs, calls, Duration.ZERO);
    this.parities = new ParityReader(fs, root);
    this.dataNodes =
        new HdfsDataNodes(
            fs,
            keys.map(BlockKeyTokens::blockPool).orElse(""),
            keys.<ReadTokens>map(own -> own).orElseGet(NoTokens::new));
    DetachedBlocks detached =
        keys.isPresent()
            ? new HdfsDetachedBlocks(fs, namespace, new FsckBlockHolders(fs, fs.getConf(), calls))
            : DetachedBlocks.UNKNOWN;
    this.check =
        new IntegrityCheck(
            namespace,
            new StripeLocator(Codecs::parse),
            dataNodes,
            KnownFaults.NONE,
            detached,
            threads);
  }

  /** The tokens of a user without block keys: {@link #judge} then asks no DataNode. */
  private static final class NoTokens implements ReadTokens {
    @Override
    public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
      throw new AccessControlException("This user has no keys of blocks");
    }

    @Override
    public boolean refresh() {
      return false;
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "rescue");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Connects to the HDFS of the installation.
   *
   * @throws ShellException when that is no HDFS
   */
  static ReadOnlyHdfs open(Installation installation, Clock clock) throws IOException {
    Configuration conf = new Configuration(installation.hadoop().get());
    String root = installation.root();
    URI hdfs = FileSystem.getDefaultUri(conf);
    if (!"hdfs".equals(hdfs.getScheme())) {
      throw new ShellException(
          ExitCode.IO,
          hdfs + " is no HDFS",
          "Is HADOOP_CONF_DIR set, and is fs.defaultFS in its core-site.xml an hdfs:// URI?");
    }
    NameNodeAnswer.require(hdfs, conf);
    conf.set("fs.hdfs.impl", DistributedRaidFileSystem.class.getName());
    conf.set(DistributedRaidFileSystem.ROOT, root);
    // Hadoop's own shutdown hook would close it under a command that ends in order.
    conf.setBoolean("fs.automatic.close", false);
    // A block that cannot be read is reported at once, without retries.
    conf.setInt("dfs.client.retry.window.base", 100);
    new ObserverNameNodes(hdfs, conf).bypass(conf);
    DistributedRaidFileSystem fs = (DistributedRaidFileSystem) FileSystem.newInstance(hdfs, conf);
    try {
      return new ReadOnlyHdfs(
          fs, root, keys(hdfs, conf, clock), installation.nameNodeCallsPerSecond());
    } catch (IOException | RuntimeException e) {
      fs.close();
      throw e;
    }
  }

  /** Only the superuser gets them. */
  private static Optional<BlockKeyTokens> keys(URI hdfs, Configuration conf, Clock clock)
      throws IOException {
    Configuration plain = new Configuration(conf);
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    try {
      return Optional.of(BlockKeyTokens.connect(hdfs, plain, clock));
    } catch (AccessControlException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      if (e.unwrapRemoteException(AccessControlException.class) instanceof AccessControlException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  DistributedRaidFileSystem fileSystem() {
    return fs;
  }

  Namespace namespace() {
    return namespace;
  }

  /** Returns whether DataNodes are asked too, for which the user needs the block keys. */
  boolean asksDataNodes() {
    return keys.isPresent();
  }

  /** The parity of a file, or that of its group as far as the file says in which it is. */
  Optional<ParityFile> parityOf(LocatedFile file) throws IOException {
    calls.await(CALLS_TO_FIND);
    Optional<ParityFile> own = parities.find(file.inode());
    if (own.isPresent()) {
      return own;
    }
    calls.await(CALLS_TO_FIND);
    return parities.findGroup(file);
  }

  /**
   * Returns the health of the stripes of a file. It asks for no tokens to read, because that would
   * count as an access to each file that is checked.
   */
  List<StripeHealth> judge(ParityFile parity, long inode) throws IOException {
    if (asksDataNodes()) {
      return check.check(parity, Set.of(inode));
    }
    List<StripeHealth> judged = new ArrayList<>();
    check.locate(parity, Set.of(inode)).forEach(s -> judged.add(StripeJudge.judge(s, List.of())));
    return judged;
  }

  /**
   * The stripe of a block of a file.
   *
   * @throws IOException when it is in none any more
   */
  LocatedStripe stripeOf(ParityFile parity, long inode, Block block) throws IOException {
    return check.locate(parity, Set.of(inode)).stream()
        .filter(
            stripe -> stripe.units().stream().anyMatch(unit -> Reconstruction.holds(unit, block)))
        .findFirst()
        .orElseThrow(
            () -> new IOException("%s of inode %d is in no stripe now".formatted(block, inode)));
  }

  /** Asks DataNodes: see {@link #asksDataNodes}. */
  Reconstruction reconstruction(LocatedStripe stripe, Block block) throws IOException {
    return new Reconstruction(stripe, block, dataNodes, threads);
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    try {
      if (keys.isPresent()) {
        keys.get().close();
      }
    } finally {
      fs.close();
    }
  }
}
