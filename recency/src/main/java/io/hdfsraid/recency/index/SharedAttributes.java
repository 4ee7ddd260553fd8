// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.FileAttributes;
import java.util.EnumSet;
import java.util.Set;

/**
 * Attributes that many files share. They are stored once, see {@link AttributeDictionary}.
 *
 * @param storagePolicy 0 if none is set on the file itself
 */
record SharedAttributes(
    long blockSize,
    int replication,
    String owner,
    String group,
    int storagePolicy,
    Set<Trait> traits) {

  static SharedAttributes of(FileAttributes attributes) {
    return new SharedAttributes(
        attributes.blockSize(),
        attributes.replication(),
        attributes.owner(),
        attributes.group(),
        attributes.storagePolicy(),
        attributes.traits());
  }

  SharedAttributes withReplication(int changed) {
    return new SharedAttributes(blockSize, changed, owner, group, storagePolicy, traits);
  }

  SharedAttributes ownedBy(String changedOwner, String changedGroup) {
    return new SharedAttributes(
        blockSize, replication, changedOwner, changedGroup, storagePolicy, traits);
  }

  SharedAttributes with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return having(more);
  }

  SharedAttributes without(Trait trait) {
    Set<Trait> fewer = EnumSet.noneOf(Trait.class);
    fewer.addAll(traits);
    fewer.remove(trait);
    return having(fewer);
  }

  private SharedAttributes having(Set<Trait> changed) {
    return new SharedAttributes(
        blockSize, replication, owner, group, storagePolicy, Set.copyOf(changed));
  }
}
