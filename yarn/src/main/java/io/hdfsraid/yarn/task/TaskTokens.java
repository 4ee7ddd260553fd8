// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.drfs.hdfs.ReadTokens;
import io.hdfsraid.yarn.work.StripeWork;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;

/** The rights to read the data units of one stripe, which the daemon has made for this task. */
final class TaskTokens implements ReadTokens {
  private final Map<Long, Token<BlockTokenIdentifier>> tokens = new HashMap<>();

  TaskTokens(StripeWork work) throws IOException {
    for (StripeWork.Source unit : work.data()) {
      Token<BlockTokenIdentifier> token = new Token<>();
      if (!unit.token().isEmpty()) {
        token.decodeFromUrlString(unit.token());
      }
      tokens.put(unit.block().id(), token);
    }
  }

  @Override
  public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
    Token<BlockTokenIdentifier> token = tokens.get(block.getBlockId());
    if (token == null) {
      throw new AccessControlException(block + " is no data unit of the stripe of this task");
    }
    return token;
  }

  /** Only the daemon can make new ones. */
  @Override
  public boolean refresh() {
    return false;
  }
}
