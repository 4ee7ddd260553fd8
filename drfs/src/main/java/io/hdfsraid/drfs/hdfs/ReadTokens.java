package io.hdfsraid.drfs.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Where tokens to read blocks come from: a client gets them from the NameNode by a checked call,
 * the daemon makes them from the block keys. Safe for concurrent use.
 */
public interface ReadTokens {

  /** The empty token, which a cluster without block tokens takes. */
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

  /** A token to read the block, on any DataNode. */
  Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException;

  /**
   * Called when a DataNode may have refused a token: forgets what the tokens were made from.
   *
   * @return whether trying again makes sense
   */
  boolean refresh() throws IOException;
}
