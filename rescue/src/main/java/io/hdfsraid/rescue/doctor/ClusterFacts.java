// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.drfs.hdfs.RootCheck;
import io.hdfsraid.drfs.namespace.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answers of a cluster, question by question.
 *
 * @param hdfs its address
 * @param root of the parity
 * @param client version of Hadoop's client here
 * @param wrongAddress why the address is none to work on, as for a router
 * @param nameNodes those of the nameservice
 * @param readsObservers whether the configuration sends reads to observer NameNodes
 * @param settings those of the NameNode, all keys
 * @param nodes the live ones
 * @param versions of the DataNodes, with how many have each
 * @param view of the root
 * @param holder which process holds the owner file
 * @param zones how many encryption zones there are
 * @param snapshotted directories that have snapshots
 * @param checksumType with which clients write
 * @param quotas on directories at and above the root
 */
record ClusterFacts(
    String hdfs,
    String user,
    String root,
    String client,
    Answer<Optional<String>> wrongAddress,
    Answer<List<NameNode>> nameNodes,
    boolean readsObservers,
    Answer<Boolean> safeMode,
    Answer<Keys> keys,
    Answer<Map<String, String>> settings,
    Answer<List<NodeState>> nodes,
    Answer<Map<String, Integer>> versions,
    Answer<Pinning> pinning,
    Answer<RootCheck> view,
    Answer<Optional<String>> holder,
    Answer<Integer> zones,
    Answer<List<String>> snapshotted,
    Answer<String> checksumType,
    Answer<List<String>> quotas) {

  /**
   * One NameNode.
   *
   * @param state such as {@code active}, or why it is not known
   */
  record NameNode(String name, String state) {}

  /**
   * Facts that only the superuser can ask for.
   *
   * @param version of the NameNode
   * @param blockTokens whether DataNodes ask for them
   */
  record Keys(String version, boolean blockTokens) {}

  /**
   * DataNodes that pin blocks which were written to favoured nodes.
   *
   * @param asked how many were asked
   * @param pinning how many of these do
   * @param silent how many of these did not answer
   */
  record Pinning(int asked, int pinning, int silent) {}
}
