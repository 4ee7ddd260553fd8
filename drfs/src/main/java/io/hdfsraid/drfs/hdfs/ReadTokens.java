// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * A source of tokens to read blocks. A client gets tokens from the NameNode by a checked call; the
 * daemon makes them from the block keys. Safe for concurrent use.
 */
public interface ReadTokens {

  /** Empty tokens, for a cluster without block tokens. */
  ReadTokens NONE =
      new ReadTokens() {
        @Override
        public Token<BlockTokenIdentifier> read(ExtendedBlock block) {
          return new Token<>();
        }

        @Override
        public boolean refresh() {
          return false;
        }
      };

  /** Returns a token to read the block on any DataNode. */
  Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException;

  /**
   * Called if a DataNode may have refused a token. Discards the data from which the tokens were
   * made.
   *
   * @return whether a retry makes sense
   */
  boolean refresh() throws IOException;
}
