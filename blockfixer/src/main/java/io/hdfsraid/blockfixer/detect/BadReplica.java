package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;

/** A replica that is proven to be bad while the NameNode still holds it to be good. */
public record BadReplica(int unit, Block block, Replica replica, Fault fault) {}
