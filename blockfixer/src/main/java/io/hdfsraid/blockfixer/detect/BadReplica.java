// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;

/** A replica that is proven to be bad although the NameNode considers it good. */
public record BadReplica(int unit, Block block, Replica replica, Fault fault) {}
