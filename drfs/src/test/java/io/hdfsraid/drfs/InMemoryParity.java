// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.parity.UnitOutput;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** The parity side of the {@link InMemoryCluster}; its state is guarded by the cluster's lock. */
final class InMemoryParity {
  private static final String QUARANTINE = "/.raid/quarantine/";

  int largestManifest = Integer.MAX_VALUE;
  private final InMemoryCluster cluster;
  private final Map<Long, Entry> committed = new TreeMap<>();
  private final List<Entry> quarantined = new ArrayList<>();
  private final Map<Long, Draft> drafts = new TreeMap<>();
  private boolean rootRemoved;

  InMemoryParity(InMemoryCluster cluster) {
    this.cluster = cluster;
  }

  Optional<ParityFile> find(long inode) {
    return cluster.locked(
        () -> Optional.ofNullable(committed.get(inode)).flatMap(this::parityFile));
  }

  void forEach(Consumer<Long> inode) {
    cluster.locked(() -> List.copyOf(committed.keySet())).forEach(inode);
  }

  void mark(long inode, ParityPhase phase) throws FileNotFoundException {
    if (cluster.locked(() -> committed.computeIfPresent(inode, (key, entry) -> entry.in(phase)))
        == null) {
      throw new FileNotFoundException("Inode %d has no parity".formatted(inode));
    }
  }

  void release(long group, Collection<Long> members) throws FileNotFoundException {
    if (cluster.locked(
            () -> committed.computeIfPresent(group, (key, entry) -> entry.leaving(members)))
        == null) {
      throw new FileNotFoundException("Group %d has no parity".formatted(group));
    }
  }

  void abandon(long id, AbandonedBlocks blocks) throws FileNotFoundException {
    if (cluster.locked(
            () -> committed.computeIfPresent(id, (key, entry) -> entry.abandoning(blocks)))
        == null) {
      throw new FileNotFoundException("%d has no parity".formatted(id));
    }
  }

  ParityDraft draft(long inode) {
    return cluster.locked(
        () -> {
          Optional.ofNullable(drafts.remove(inode)).ifPresent(Draft::discard);
          Draft draft = new Draft(inode);
          drafts.put(inode, draft);
          return draft;
        });
  }

  boolean quarantine(ParityFile parity) {
    return cluster.locked(
        () -> {
          Optional<Entry> found =
              committed.values().stream()
                  .filter(e -> e.file.inode == parity.file().inode())
                  .findFirst();
          if (found.isEmpty()) {
            return false;
          }
          Entry entry = found.get();
          long inode = entry.inode;
          committed.remove(inode);
          cluster.touch(entry.file);
          cluster.move(entry.file, QUARANTINE + "%d.%d".formatted(inode, entry.file.inode));
          return quarantined.add(entry);
        });
  }

  void forEachQuarantined(Consumer<ParityFile> consumer) {
    cluster
        .locked(() -> quarantined.stream().flatMap(e -> parityFile(e).stream()).toList())
        .forEach(consumer);
  }

  List<ParityFile> quarantined(long inode) {
    return cluster.locked(
        () ->
            quarantined.stream()
                .filter(entry -> entry.inode == inode)
                .flatMap(entry -> parityFile(entry).stream())
                .toList());
  }

  /** From the path alone, as of parity that is gone by now. */
  static long idOf(ParityFile parity) {
    String path = parity.file().path();
    if (!path.startsWith(QUARANTINE)) {
      throw new IllegalArgumentException(path + " is not in quarantine");
    }
    return Long.parseLong(path.substring(QUARANTINE.length(), path.lastIndexOf('.')));
  }

  Footprint footprint() {
    return cluster.locked(
        () ->
            rootRemoved
                ? Footprint.NONE
                : new Footprint(
                    true, committed.size(), quarantined.size(), drafts.size(), List.of(), 0));
  }

  void removeDirectories() throws RefusedException {
    if (!footprint().onlyDirectories()) {
      throw new RefusedException("The root is not empty: " + footprint());
    }
    cluster.locked(() -> rootRemoved = true);
  }

  boolean restore(ParityFile parity) {
    return cluster.locked(
        () -> {
          Optional<Entry> entry = inQuarantine(parity);
          if (entry.isEmpty() || committed.containsKey(entry.get().inode)) {
            return false;
          }
          quarantined.remove(entry.get());
          committed.put(entry.get().inode, entry.get());
          cluster.move(entry.get().file, path(entry.get().inode));
          return true;
        });
  }

  void stampAnew(ParityFile parity) {
    cluster.locked(
        () -> {
          inQuarantine(parity).ifPresent(entry -> cluster.touch(entry.file));
          return null;
        });
  }

  void purge(ParityFile parity) {
    cluster.locked(
        () -> {
          inQuarantine(parity)
              .ifPresent(
                  entry -> {
                    quarantined.remove(entry);
                    cluster.remove(entry.file);
                    entry.file.blocks.forEach(cluster::release);
                  });
          return null;
        });
  }

  int sweepDrafts() {
    return cluster.locked(
        () -> {
          List<Draft> abandoned = drafts.values().stream().filter(d -> d.abandoned).toList();
          abandoned.forEach(Draft::discard);
          drafts.values().removeAll(abandoned);
          return abandoned.size();
        });
  }

  /** Everything below the root goes, drafts included, as if somebody had deleted the root. */
  void deleteAll() {
    cluster.locked(
        () -> {
          List<Entry> all = new ArrayList<>(committed.values());
          all.addAll(quarantined);
          for (Entry entry : all) {
            cluster.remove(entry.file);
            entry.file.blocks.forEach(cluster::release);
          }
          committed.clear();
          quarantined.clear();
          drafts.values().forEach(Draft::discard);
          drafts.clear();
          return null;
        });
  }

  /** The parity unit holds other bytes, and its manifest records their checksum. */
  void falsify(long id, int stripe, int unit) {
    cluster.locked(
        () -> {
          Entry entry = committed.get(id);
          Stripe before = entry.manifest.stripes().get(stripe);
          StoredBlock block = entry.file.blocks.get(stripe * before.parityCrcs().size() + unit);
          byte[] wrong = block.content.clone();
          for (int i = 0; i < wrong.length; i++) {
            wrong[i] ^= 1;
          }
          CRC32C crc = new CRC32C();
          crc.update(wrong);
          block.content = wrong;
          List.copyOf(block.replicas.keySet()).forEach(block::store);
          List<Integer> crcs = new ArrayList<>(before.parityCrcs());
          crcs.set(unit, (int) crc.getValue());
          List<Stripe> stripes = new ArrayList<>(entry.manifest.stripes());
          stripes.set(stripe, new Stripe(before.data(), crcs));
          return committed.put(id, entry.with(stripes));
        });
  }

  void abandonDrafts() {
    cluster.locked(
        () -> {
          drafts.values().forEach(draft -> draft.abandoned = true);
          return null;
        });
  }

  private Optional<Entry> inQuarantine(ParityFile parity) {
    return quarantined.stream()
        .filter(entry -> entry.file.inode == parity.file().inode())
        .findFirst();
  }

  private Optional<ParityFile> parityFile(Entry entry) {
    return cluster
        .inode(entry.file.inode)
        .map(
            file ->
                new ParityFile(
                    cluster.state(file, file.path),
                    entry.manifest,
                    entry.phase,
                    entry.leaving,
                    entry.abandoned));
  }

  private static String path(long inode) {
    return GroupId.isGroup(inode)
        ? "/.raid/group/%d".formatted(inode)
        : "/.raid/parity/%03x/%d".formatted(inode & 0xfff, inode);
  }

  /** Parity that was committed, here or in quarantine. */
  private record Entry(
      long inode,
      StoredFile file,
      Manifest manifest,
      ParityPhase phase,
      Set<Long> leaving,
      AbandonedBlocks abandoned) {
    Entry in(ParityPhase next) {
      return new Entry(inode, file, manifest, next, leaving, AbandonedBlocks.NONE);
    }

    Entry with(List<Stripe> stripes) {
      Manifest changed =
          new Manifest(
              manifest.clusterId(),
              manifest.blockPool(),
              manifest.codec(),
              manifest.layout(),
              manifest.originalReplication(),
              manifest.targetReplication(),
              manifest.parityReplication(),
              manifest.members(),
              stripes);
      return new Entry(inode, file, changed, phase, leaving, abandoned);
    }

    Entry leaving(Collection<Long> members) {
      return new Entry(inode, file, manifest, phase, Set.copyOf(members), abandoned);
    }

    Entry abandoning(AbandonedBlocks blocks) {
      return new Entry(inode, file, manifest, ParityPhase.UNRAIDING, leaving, blocks);
    }
  }

  private final class Draft implements ParityDraft {
    private final long inode;
    private final String directory;
    private final Map<Integer, StoredFile> units = new HashMap<>();
    private Optional<StoredFile> whole = Optional.empty();
    private Optional<Manifest> manifest = Optional.empty();
    private boolean committedOrGone;
    private boolean abandoned;

    Draft(long inode) {
      this.inode = inode;
      this.directory = "/.raid/tmp/%d".formatted(inode);
    }

    @Override
    public UnitOutput create(int index, Optional<DataNode> favoured, long length)
        throws IOException {
      requireThere();
      return cluster.locked(
          () -> {
            StoredFile file =
                cluster.newFile("%s/%d".formatted(directory, index), Math.max(1, length), 1);
            file.underConstruction = true;
            units.put(index, file);
            // The block is named here, not when it is closed: units are closed in any order.
            return new Output(file, cluster.newBlock(), favoured, length);
          });
    }

    @Override
    public LocatedFile concat(int count) throws IOException {
      cluster.lock.lock();
      try {
        StoredFile target =
            cluster.newFile(
                directory + "/parity",
                units.values().stream().mapToLong(unit -> unit.blockSize).max().orElse(1),
                1);
        for (int index = 0; index < count; index++) {
          StoredFile unit = units.remove(index);
          if (unit == null || unit.underConstruction) {
            throw new IOException(
                "Parity unit %d of inode %d is not complete".formatted(index, inode));
          }
          cluster.remove(unit);
          target.blocks.addAll(unit.blocks);
        }
        whole = Optional.of(target);
        return cluster.state(target, target.path);
      } finally {
        cluster.lock.unlock();
      }
    }

    private void requireThere() throws FileNotFoundException {
      if (committedOrGone) {
        throw new FileNotFoundException("There is no %s".formatted(directory));
      }
    }

    @Override
    public void requireStorable(Manifest description) throws IOException {
      int bytes = ManifestFormat.encode(description).length;
      if (bytes > largestManifest) {
        throw new ManifestTooLargeException(bytes, largestManifest);
      }
    }

    @Override
    public void describe(Manifest description, LocatedFile source) throws IOException {
      requireStorable(description);
      requireThere();
      // Through its bytes, so that no test keeps what HDFS could not.
      Manifest kept = ManifestFormat.decode(ManifestFormat.encode(description));
      cluster.locked(
          () -> {
            StoredFile file = whole.orElseThrow();
            file.group = source.group();
            file.mode = source.mode();
            manifest = Optional.of(kept);
            cluster.setReplication(file, kept.parityReplication());
            return null;
          });
    }

    @Override
    public ParityFile commit() throws IOException {
      cluster.lock.lock();
      try {
        requireThere();
        if (committed.containsKey(inode)) {
          throw new RefusedException("Inode %d has parity already".formatted(inode));
        }
        Entry entry =
            new Entry(
                inode,
                whole.orElseThrow(),
                manifest.orElseThrow(),
                ParityPhase.COMMITTED,
                Set.of(),
                AbandonedBlocks.NONE);
        cluster.move(entry.file, path(inode));
        committed.put(inode, entry);
        drafts.remove(inode, this);
        committedOrGone = true;
        return parityFile(entry).orElseThrow();
      } finally {
        cluster.lock.unlock();
      }
    }

    @Override
    public void close() {
      cluster.locked(
          () -> {
            if (!committedOrGone && !abandoned) {
              discard();
              drafts.remove(inode, this);
            }
            return null;
          });
    }

    private void discard() {
      List<StoredFile> left = new ArrayList<>(units.values());
      whole.ifPresent(left::add);
      for (StoredFile file : left) {
        cluster.remove(file);
        file.blocks.forEach(cluster::release);
      }
      units.clear();
      whole = Optional.empty();
      committedOrGone = true;
    }
  }

  /** A parity unit on its way to a node. */
  private final class Output implements UnitOutput {
    private final StoredFile file;
    private final StoredBlock block;
    private final Optional<DataNode> favoured;
    private final long bound;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Output(StoredFile file, StoredBlock block, Optional<DataNode> favoured, long bound) {
      this.file = file;
      this.block = block;
      this.favoured = favoured;
      this.bound = bound;
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
      byte[] copy = new byte[source.remaining()];
      source.get(copy);
      bytes.write(copy);
      if (bytes.size() > bound) {
        throw new IOException(
            "A parity unit announced with %d bytes has %d".formatted(bound, bytes.size()));
      }
    }

    @Override
    public void close() {
      cluster.locked(
          () -> {
            if (file.underConstruction && cluster.inode(file.inode).isPresent()) {
              file.underConstruction = false;
              cluster.countParity(bytes.size());
              cluster.addBlock(file, block, bytes.toByteArray(), favoured.stream().toList());
            }
            return null;
          });
    }
  }
}
