// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * A source of tokens to write and to move blocks. The NameNode gives out no such tokens for
 * complete blocks. Safe for concurrent use.
 */
public interface WriteTokens {

  /** Empty tokens, for a cluster without block tokens. */
  WriteTokens NONE =
      new WriteTokens() {
        @Override
        public Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType storageType) {
          return new Token<>();
        }

        @Override
        public Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType storageType) {
          return new Token<>();
        }

        @Override
        public boolean refresh() {
          return false;
        }
      };

  /** Returns a token to write the block on any DataNode, to any of its storages of this type. */
  Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType storageType)
      throws IOException;

  /** Returns a token to move the block: REPLACE for the target, COPY for the source. */
  Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType storageType)
      throws IOException;

  /**
   * Called if a DataNode may have refused a token. Discards the data from which the tokens were
   * made.
   *
   * @return whether a retry makes sense
   */
  boolean refresh() throws IOException;
}
