// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;

/** Sees nothing. */
final class Nobody implements SimulatedHdfs.Witness {
  @Override
  public void begins(Block block, DataNode target) {}

  @Override
  public void ends(Block block, DataNode target) {}

  @Override
  public void delivers(Block block, DataNode target, byte[] bytes) {}

  @Override
  public void reports(Block block, DataNode node) {}
}
