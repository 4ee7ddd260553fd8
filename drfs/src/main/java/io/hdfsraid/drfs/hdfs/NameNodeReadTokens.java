// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
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
 * permission.) Blocks that were not granted are refused here, even if the cluster does not use
 * tokens.
 */
public final class NameNodeReadTokens implements ReadTokens {
  private final DFSClient client;
  private final Map<String, Grant> granted = new ConcurrentHashMap<>();
  private final Map<Long, Token<BlockTokenIdentifier>> tokens = new ConcurrentHashMap<>();

  public NameNodeReadTokens(DistributedFileSystem fileSystem) {
    this.client = fileSystem.getClient();
  }

  /**
   * Some blocks of a file.
   *
   * @param from position of the first of them in the file
   * @param length the bytes from there to the end of the last of them
   */
  private record Grant(long from, long length, Set<Long> blockIds) {}

  /**
   * Requests the right to read blocks of a file. Nothing is requested if the file has none of them.
   *
   * @param blocks blocks of other files among them are ignored
   * @throws AccessControlException if this user may not read the file
   */
  public void grant(LocatedFile file, Set<Block> blocks) throws IOException {
    grant(file, blocks, List.of());
  }

  /**
   * Takes the right to read blocks of a file that this user has opened, and requests it as {@link
   * #grant(LocatedFile, Set)} does if one of them is missing.
   *
   * @param opened the blocks with their tokens, as the NameNode gave them to the opening user
   */
  public void grant(LocatedFile file, Set<Block> blocks, List<LocatedBlock> opened)
      throws IOException {
    long from = -1;
    long to = 0;
    long position = 0;
    Set<Long> ids = new HashSet<>();
    for (Block block : file.contents()) {
      long end = position + block.length();
      if (blocks.contains(block)) {
        from = from < 0 ? position : from;
        to = end;
        ids.add(block.id());
      }
      position = end;
    }
    if (!ids.isEmpty()) {
      Grant grant = new Grant(from, to - from, ids);
      take(opened, grant);
      if (!tokens.keySet().containsAll(ids)) {
        request(file.path(), grant);
      }
      granted.put(file.path(), grant);
    }
  }

  private void request(String path, Grant grant) throws IOException {
    take(client.getLocatedBlocks(path, grant.from(), grant.length()).getLocatedBlocks(), grant);
  }

  private void take(List<LocatedBlock> blocks, Grant grant) {
    for (LocatedBlock block : blocks) {
      if (grant.blockIds().contains(block.getBlock().getBlockId())) {
        tokens.put(block.getBlock().getBlockId(), block.getBlockToken());
      }
    }
  }

  @Override
  public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
    Token<BlockTokenIdentifier> token = tokens.get(block.getBlockId());
    if (token == null) {
      throw new AccessControlException(
          "%s was not granted; granted are blocks of %s".formatted(block, granted.keySet()));
    }
    return token;
  }

  @Override
  public boolean refresh() throws IOException {
    for (Map.Entry<String, Grant> entry : granted.entrySet()) {
      request(entry.getKey(), entry.getValue());
    }
    return true;
  }
}
