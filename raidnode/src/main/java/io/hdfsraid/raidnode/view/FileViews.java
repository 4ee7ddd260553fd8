package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownGroups;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.Standing;
import java.util.Optional;
import java.util.function.Supplier;

/** Turns records of files into what the API shows of them. */
public final class FileViews {
  private final Supplier<Policies> policies;
  private final KnownGroups groups;

  public FileViews(Supplier<Policies> policies, KnownGroups groups) {
    this.policies = policies;
    this.groups = groups;
  }

  public FileView of(FileRecord file) {
    FileFacts facts = file.facts();
    Standing standing = file.standing();
    Optional<Protection> wanted =
        policies.get().inOrder().stream()
            .filter(policy -> policy.name().equals(standing.by()))
            .map(Policy::protection)
            .findFirst();
    return new FileView(
        facts.inodeId(),
        facts.path(),
        facts.length(),
        facts.blocks(),
        FileState.valueOf(file.status().name()),
        Optional.of(standing.by()).filter(by -> !by.isEmpty()),
        file.parity().map(Parity::codec).or(() -> wanted.map(Protection::codec)),
        standing.reason().map(Enum::name),
        standing.detail(),
        Optional.of(standing.since()),
        facts.replication(),
        file.parity()
            .map(Parity::targetReplication)
            .or(() -> wanted.map(Protection::targetReplication)),
        file.parity().map(Parity::stripes).orElse(0),
        file.parity().map(parity -> parity.bytes() * parity.parityReplication()).orElse(0L),
        facts.accessed(),
        Optional.of(facts.modified()),
        file.parity().flatMap(parity -> groups.groupOf(facts.inodeId())).map(String::valueOf));
  }
}
