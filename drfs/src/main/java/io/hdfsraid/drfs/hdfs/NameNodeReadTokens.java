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
 * Read tokens that the NameNode gives to this user, file by file, if the user may read the file.
 * They are requested by the call that opens a file, which checks permissions, is audited as an open
 * and counts as an access. ({@code getLocatedFileInfo} gives tokens to users without read
 * permission.) Blocks of files that were not granted are refused here, even if the cluster does not
 * use tokens.
 */
public final class NameNodeReadTokens implements ReadTokens {
  private final DFSClient client;
  private final Set<String> granted = ConcurrentHashMap.newKeySet();
  private final Map<Long, Token<BlockTokenIdentifier>> tokens = new ConcurrentHashMap<>();

  public NameNodeReadTokens(DistributedFileSystem fileSystem) {
    this.client = fileSystem.getClient();
  }

  /**
   * Requests the right to read a file.
   *
   * @throws AccessControlException if this user may not read the file
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
