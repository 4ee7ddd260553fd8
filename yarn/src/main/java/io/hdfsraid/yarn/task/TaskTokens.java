// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.blockfixer.hdfs.WriteTokens;
import io.hdfsraid.drfs.hdfs.ReadTokens;
import io.hdfsraid.yarn.work.RepairWork;
import io.hdfsraid.yarn.work.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;

/** The rights to the blocks of one stripe, which the daemon has made for this task. */
final class TaskTokens implements ReadTokens, WriteTokens {
  private final Map<Long, Token<BlockTokenIdentifier>> read = new HashMap<>();
  private final Map<Long, Token<BlockTokenIdentifier>> write = new HashMap<>();

  /**
   * @param sources the units that may be read
   * @param targets the units that may be written
   */
  TaskTokens(List<Source> sources, List<RepairWork.Target> targets) throws IOException {
    for (Source source : sources) {
      read.put(source.block().id(), token(source.token()));
    }
    for (RepairWork.Target target : targets) {
      write.put(target.block().id(), token(target.token()));
    }
  }

  private static Token<BlockTokenIdentifier> token(String encoded) throws IOException {
    Token<BlockTokenIdentifier> token = new Token<>();
    if (!encoded.isEmpty()) {
      token.decodeFromUrlString(encoded);
    }
    return token;
  }

  @Override
  public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
    return find(read, block, "reads");
  }

  @Override
  public Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType storageType)
      throws IOException {
    return find(write, block, "writes");
  }

  @Override
  public Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType storageType)
      throws IOException {
    throw new AccessControlException("No task moves blocks, but this one wants to move " + block);
  }

  private static Token<BlockTokenIdentifier> find(
      Map<Long, Token<BlockTokenIdentifier>> tokens, ExtendedBlock block, String does)
      throws IOException {
    Token<BlockTokenIdentifier> token = tokens.get(block.getBlockId());
    if (token == null) {
      throw new AccessControlException(block + " is no block that this task " + does);
    }
    return token;
  }

  /** Only the daemon can make new ones. */
  @Override
  public boolean refresh() {
    return false;
  }
}
