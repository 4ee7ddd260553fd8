package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.namespace.FileAttributes;
import java.util.EnumSet;
import java.util.Set;

/**
 * What many files have in common. Written down once for all of them, see {@link Kinds}.
 *
 * @param storagePolicy 0 where none is set on the file itself
 */
record Kind(
    long blockSize,
    int replication,
    String owner,
    String group,
    int storagePolicy,
    Set<Trait> traits) {

  static Kind of(FileAttributes attributes) {
    return new Kind(
        attributes.blockSize(),
        attributes.replication(),
        attributes.owner(),
        attributes.group(),
        attributes.storagePolicy(),
        attributes.traits());
  }

  Kind withReplication(int changed) {
    return new Kind(blockSize, changed, owner, group, storagePolicy, traits);
  }

  Kind ownedBy(String changedOwner, String changedGroup) {
    return new Kind(blockSize, replication, changedOwner, changedGroup, storagePolicy, traits);
  }

  Kind with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return having(more);
  }

  Kind without(Trait trait) {
    Set<Trait> fewer = EnumSet.noneOf(Trait.class);
    fewer.addAll(traits);
    fewer.remove(trait);
    return having(fewer);
  }

  private Kind having(Set<Trait> changed) {
    return new Kind(blockSize, replication, owner, group, storagePolicy, Set.copyOf(changed));
  }
}
