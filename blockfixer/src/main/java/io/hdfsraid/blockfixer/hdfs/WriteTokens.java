package io.hdfsraid.blockfixer.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Where tokens to write and to move blocks come from; the NameNode hands none out for a block that
 * is complete. Safe for concurrent use.
 */
public interface WriteTokens {

  /** The empty token, which a cluster without block tokens takes. */
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

  /** A token to write the block on any DataNode, to any of its storages of that type. */
  Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType storageType)
      throws IOException;

  /** A token to move the block: REPLACE for the target, COPY for the node it copies from. */
  Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType storageType)
      throws IOException;

  /**
   * Called when a DataNode may have refused a token: forgets what the tokens were made from.
   *
   * @return whether trying again makes sense
   */
  boolean refresh() throws IOException;
}
