// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.erasurecode.RowLayout;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The record that binds a parity file to the exact blocks it protects and makes the parity file
 * self-describing. {@link ManifestFormat} defines its bytes, which are stored in extended
 * attributes of the parity file.
 *
 * @param clusterId cluster id of the NameNode that assigned the block ids
 * @param blockPool block pool of the same NameNode; inode ids repeat across nameservices
 * @param codec name of the codec, as accepted by {@code Codecs.parse}
 * @param layout α and c with which the units were cut into rows
 * @param originalReplication replication of a member before it was raided, which is restored later
 * @param targetReplication replication of a raided member
 * @param parityReplication replication of the parity file
 * @param members the files whose blocks are protected: one for a file of its own, many for a group
 * @param stripes in the order of the parity file: parity unit <i>p</i> of stripe <i>s</i> is its
 *     block <i>s·m + p</i>
 */
public record Manifest(
    String clusterId,
    String blockPool,
    String codec,
    RowLayout layout,
    int originalReplication,
    int targetReplication,
    int parityReplication,
    List<Member> members,
    List<Stripe> stripes) {
  public Manifest {
    Objects.requireNonNull(clusterId, "clusterId");
    Objects.requireNonNull(blockPool, "blockPool");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(layout, "layout");
    members = List.copyOf(members);
    stripes = List.copyOf(stripes);
    for (Stripe stripe : stripes) {
      for (DataUnit unit : stripe.data()) {
        Objects.checkIndex(unit.member(), members.size());
      }
    }
  }

  /**
   * Returns the inode ids of the files that have a block in the same stripe as this block; empty if
   * no stripe has this block.
   */
  public Set<Long> neighboursOf(Block block) {
    OptionalInt stripe = stripeOf(block);
    return stripe.isPresent() ? membersOf(stripes.get(stripe.getAsInt())) : Set.of();
  }

  /** Returns the index of the stripe that has this block; empty if no stripe has it. */
  public OptionalInt stripeOf(Block block) {
    return IntStream.range(0, stripes.size())
        .filter(i -> stripes.get(i).data().stream().anyMatch(unit -> unit.block().equals(block)))
        .findFirst();
  }

  /**
   * Returns the inode ids of the files that have a block in a stripe, in the order of its units.
   */
  public Set<Long> membersOf(Stripe stripe) {
    return stripe.data().stream()
        .map(unit -> members.get(unit.member()).inode())
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet));
  }

  /** Returns the recorded blocks of a member, in the order of the stripes. */
  public List<Block> blocksOf(long inode) {
    return stripes.stream()
        .flatMap(stripe -> stripe.data().stream())
        .filter(unit -> members.get(unit.member()).inode() == inode)
        .map(DataUnit::block)
        .toList();
  }
}
