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
 * Tokens made here from the NameNode's block keys, which it gives to the superuser: reading with
 * them is no open and no access. The keys are fetched again after a quarter of their update
 * interval, as HDFS's balancer does, and on demand. Where the cluster has no block tokens, they are
 * empty.
 */
public final class BlockKeyTokens implements ReadTokens, WriteTokens, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockKeyTokens.class);
  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final StorageType[] ANY_TYPE = {};
  private static final String[] ANY_STORAGE = {};

  /** A write names one storage, the one of no name: whichever the DataNode chooses. */
  private static final String[] CHOSEN_STORAGE = {""};

  private static final String USER = "hdfs-raid"; // for the DataNode's log; nobody checks it

  private final NamenodeProtocol nameNode;
  private final String clusterId;
  private final String blockPool;
  private final Clock clock;
  private Keys keys;

  /** What tokens are made from; without secrets where tokens are off. */
  private record Keys(BlockTokenSecretManager secrets, Instant fetchAgain) {}

  private BlockKeyTokens(NamenodeProtocol nameNode, Clock clock) throws IOException {
    NamespaceInfo cluster = nameNode.versionRequest();
    this.nameNode = nameNode;
    this.clusterId = cluster.getClusterID();
    this.blockPool = cluster.getBlockPoolID();
    this.clock = clock;
    this.keys = fetch();
  }

  /**
   * Asks the active NameNode.
   *
   * @throws org.apache.hadoop.security.AccessControlException when this user is not the superuser
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

  /** Of the NameNode, as manifests record it. */
  public String clusterId() {
    return clusterId;
  }

  /** To which all blocks of the NameNode belong. */
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
    if (!clock.instant().isBefore(keys.fetchAgain())) {
      try {
        keys = fetch();
      } catch (IOException e) {
        // They stay good for three more quarters of their interval.
        LOG.atWarn().setCause(e).log("The block keys could not be renewed; the old ones are used");
        keys = new Keys(keys.secrets(), clock.instant().plus(RETRY));
      }
    }
    return keys;
  }

  /** Fetches the keys now: a DataNode restarted after the NameNode knows only the new ones. */
  @Override
  public synchronized boolean refresh() throws IOException {
    keys = fetch();
    return keys.secrets() != null;
  }

  private Keys fetch() throws IOException {
    ExportedBlockKeys exported = ask();
    if (exported == null || !exported.isBlockTokenEnabled()) {
      return new Keys(null, Instant.MAX);
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
    return new Keys(secrets, clock.instant().plusMillis(exported.getKeyUpdateInterval() / 4));
  }

  private ExportedBlockKeys ask() throws IOException {
    try {
      return nameNode.getBlockKeys();
    } catch (EOFException e) {
      return nameNode.getBlockKeys(); // over a new connection: that one was to a NameNode before
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(nameNode);
  }
}
