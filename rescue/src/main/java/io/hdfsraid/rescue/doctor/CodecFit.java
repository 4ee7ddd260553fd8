// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import java.util.List;

/**
 * The suitability of a codec for a cluster.
 *
 * @param policies that name it
 * @param fits whether full stripes have a node in service for every unit
 * @param nodesNeeded one for each unit
 * @param nodeLosses how many nodes may be lost at once, wherever they are
 * @param rackLosses how many racks may be lost at once when units are spread over the racks as
 *     evenly as their sizes allow; 0 also when racks are not known
 * @param unitsInARack that the fullest rack then holds
 * @param dataAtOnce bytes of data whose parity has room before any replica has gone
 * @param whyNot in a sentence; empty when it fits
 */
public record CodecFit(
    String codec,
    List<String> policies,
    boolean fits,
    int nodesNeeded,
    int nodeLosses,
    int rackLosses,
    int unitsInARack,
    long dataAtOnce,
    String whyNot) {
  public CodecFit {
    policies = List.copyOf(policies);
  }
}
