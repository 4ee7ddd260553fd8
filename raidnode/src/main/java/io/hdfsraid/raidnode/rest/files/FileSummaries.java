// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownGroups;
import io.hdfsraid.raidnode.catalog.Parity;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Converts file records of the catalog into records of the API. */
public final class FileSummaries {
  private final Supplier<Policies> policies;
  private final KnownGroups groups;
  private final Function<String, Optional<String>> clientPaths;

  /**
   * Creates a converter.
   *
   * @param clientPaths the path by which clients of a router find a file
   */
  public FileSummaries(
      Supplier<Policies> policies,
      KnownGroups groups,
      Function<String, Optional<String>> clientPaths) {
    this.policies = policies;
    this.groups = groups;
    this.clientPaths = clientPaths;
  }

  public FileSummary of(FileRecord file) {
    FileFacts facts = file.facts();
    FileProgress progress = file.progress();
    Optional<Protection> wanted =
        policies.get().inOrder().stream()
            .filter(policy -> policy.name().equals(progress.by()))
            .map(Policy::protection)
            .findFirst();
    return new FileSummary(
        facts.inodeId(),
        facts.path(),
        facts.length(),
        facts.blocks(),
        file.state(),
        Optional.of(progress.by()).filter(by -> !by.isEmpty()),
        file.parity().map(Parity::codec).or(() -> wanted.map(Protection::codec)),
        progress.reason().map(Enum::name),
        progress.detail(),
        Optional.of(progress.since()),
        facts.replication(),
        file.parity()
            .map(Parity::targetReplication)
            .or(() -> wanted.map(Protection::targetReplication)),
        file.parity().map(Parity::stripes).orElse(0),
        file.parity().map(parity -> parity.bytes() * parity.parityReplication()).orElse(0L),
        facts.accessed(),
        Optional.of(facts.modified()),
        file.parity().flatMap(parity -> groups.groupOf(facts.inodeId())).map(String::valueOf),
        clientPaths.apply(facts.path()));
  }
}
