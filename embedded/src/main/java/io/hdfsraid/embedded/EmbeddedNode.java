// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

/**
 * One DataNode.
 *
 * @param index 0 .. number of DataNodes - 1, for the whole life of the cluster, also while the node
 *     is stopped
 * @param uuid as the NameNode knows it
 * @param xferAddress {@code ip:port} of the data transfer, the form that favoured nodes are given
 *     in
 * @param rack for example {@code /rack0}
 */
public record EmbeddedNode(int index, String uuid, String xferAddress, String rack) {}
