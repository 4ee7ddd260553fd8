// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.drfs.hdfs.ReadTokens;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens made in this process from the NameNode's block keys, which the superuser may fetch.
 * Reading with such tokens is not audited as an open and does not count as access. The keys are
 * fetched again after a quarter of their update interval, as HDFS's balancer does, and on demand.
 * If the cluster does not use block tokens, the tokens are empty.
 */
public final class BlockKeyTokens implements ReadTokens, WriteTokens, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockKeyTokens.class);
  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final StorageType[] ANY_TYPE = {};
  private static final String[] ANY_STORAGE = {};

  /**
   * A write token names one storage. The empty name means any storage that the DataNode chooses.
   */
  private static final String[] CHOSEN_STORAGE = {""};

  private static final String USER = "hdfs-raid"; // for the DataNode's log; not checked

  private final NamenodeProtocol nameNode;
  private final String clusterId;
  private final String blockPool;
  private final Clock clock;
  private Keys keys;

  /**
   * The keys from which tokens are made.
   *
   * @param secrets null if tokens are off
   * @param asked when the NameNode was asked last. An earlier time comes from a clock that was set
   *     back since, and then {@code fetchAgain} may be too far away
   */
  private record Keys(BlockTokenSecretManager secrets, Instant asked, Instant fetchAgain) {
    boolean areOld(Instant now) {
      return !now.isBefore(fetchAgain) || now.isBefore(asked);
    }
  }

  private BlockKeyTokens(NamenodeProtocol nameNode, Clock clock) throws IOException {
    NamespaceInfo cluster = nameNode.versionRequest();
    this.nameNode = nameNode;
    this.clusterId = cluster.getClusterID();
    this.blockPool = cluster.getBlockPoolID();
    this.clock = clock;
    this.keys = fetch();
  }

  /**
   * Fetches the keys from the active NameNode.
   *
   * @throws org.apache.hadoop.security.AccessControlException if this user is not the superuser
   */
  public static BlockKeyTokens connect(URI hdfs, Configuration conf, Clock clock)
      throws IOException {
    NamenodeProtocol nameNode =
        NameNodeProxies.createProxy(conf, hdfs, NamenodeProtocol.class).getProxy();
    try {
      return of(nameNode, clock);
    } catch (IOException | RuntimeException e) {
      RPC.stopProxy(nameNode);
      throw e;
    }
  }

  static BlockKeyTokens of(NamenodeProtocol nameNode, Clock clock) throws IOException {
    return new BlockKeyTokens(nameNode, clock);
  }

  /** Returns the cluster id of the NameNode, as recorded in manifests. */
  public String clusterId() {
    return clusterId;
  }

  /** Returns the block pool of all blocks of the NameNode. */
  public String blockPool() {
    return blockPool;
  }

  @Override
  public Token<BlockTokenIdentifier> read(ExtendedBlock block) {
    return token(block, EnumSet.of(AccessMode.READ), ANY_TYPE, ANY_STORAGE);
  }

  @Override
  public Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType storageType) {
    return token(
        block, EnumSet.of(AccessMode.WRITE), new StorageType[] {storageType}, CHOSEN_STORAGE);
  }

  @Override
  public Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType storageType) {
    return token(
        block,
        EnumSet.of(AccessMode.REPLACE, AccessMode.COPY),
        new StorageType[] {storageType},
        ANY_STORAGE);
  }

  private Token<BlockTokenIdentifier> token(
      ExtendedBlock block, EnumSet<AccessMode> modes, StorageType[] types, String[] storages) {
    BlockTokenSecretManager secrets = current().secrets();
    return secrets == null
        ? new Token<>()
        : secrets.generateToken(USER, block, modes, types, storages);
  }

  private synchronized Keys current() {
    if (keys.areOld(clock.instant())) {
      try {
        keys = fetch();
      } catch (IOException e) {
        // The old keys remain valid for three more quarters of the interval.
        LOG.atWarn().setCause(e).log("block keys could not be renewed; the old keys are used");
        Instant now = clock.instant();
        keys = new Keys(keys.secrets(), now, now.plus(RETRY));
      }
    }
    return keys;
  }

  /**
   * Fetches the keys now. A DataNode that was restarted after the NameNode knows only the new keys.
   */
  @Override
  public synchronized boolean refresh() throws IOException {
    keys = fetch();
    return keys.secrets() != null;
  }

  private Keys fetch() throws IOException {
    ExportedBlockKeys exported = ask();
    if (exported == null || !exported.isBlockTokenEnabled()) {
      return new Keys(null, Instant.MIN, Instant.MAX);
    }
    String noEncryption = null;
    boolean protobuf = false; // DataNodes read both formats
    BlockTokenSecretManager secrets =
        new BlockTokenSecretManager(
            exported.getKeyUpdateInterval(),
            exported.getTokenLifetime(),
            blockPool,
            noEncryption,
            protobuf);
    secrets.addKeys(exported);
    Instant now = clock.instant();
    return new Keys(secrets, now, now.plusMillis(exported.getKeyUpdateInterval() / 4));
  }

  private ExportedBlockKeys ask() throws IOException {
    try {
      return nameNode.getBlockKeys();
    } catch (EOFException e) {
      return nameNode.getBlockKeys(); // over a new connection: the old one was to a former NameNode
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(nameNode);
  }
}
