package io.hdfsraid.drfs.hdfs;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;

/**
 * The tokens the NameNode gives to this user, file by file, when the user may read the file: asked
 * for by the call that opening a file makes, which checks, is audited as an open and counts as
 * access. ({@code getLocatedFileInfo} hands tokens to users who may not read.) Blocks of files that
 * were not granted are refused here, also where the cluster has no tokens.
 */
public final class NameNodeReadTokens implements ReadTokens {
  private final DFSClient client;
  private final Set<String> granted = ConcurrentHashMap.newKeySet();
  private final Map<Long, Token<BlockTokenIdentifier>> tokens = new ConcurrentHashMap<>();

  public NameNodeReadTokens(DistributedFileSystem fileSystem) {
    this.client = fileSystem.getClient();
  }

  /**
   * Asks for the right to read a file.
   *
   * @throws AccessControlException when this user may not
   */
  public void grant(String path) throws IOException {
    for (LocatedBlock block : client.getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      tokens.put(block.getBlock().getBlockId(), block.getBlockToken());
    }
    granted.add(path);
  }

  @Override
  public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
    Token<BlockTokenIdentifier> token = tokens.get(block.getBlockId());
    if (token == null) {
      throw new AccessControlException(
          "%s belongs to no file that was granted; granted are %s".formatted(block, granted));
    }
    return token;
  }

  @Override
  public boolean refresh() throws IOException {
    for (String path : granted) {
      grant(path);
    }
    return true;
  }
}
