// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.tests.history.World.Copy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Looks at the disks, past the NameNode and the daemon, and says whether every block that a user
 * may read is there or follows from its stripe: now, or after a fault.
 */
final class Tolerance {
  private final World world;
  private final Model model;

  Tolerance(World world, Model model) {
    this.world = world;
    this.model = model;
  }

  /** A fault that is thought about: these replicas would be gone. */
  interface Fault {
    boolean hits(Block block, int node);
  }

  static final Fault NONE = (block, node) -> false;

  /** Which replicas a unit of a stripe needs to count as there. */
  enum Outlook {
    /** One that is up and sound. */
    NOW,
    /** All: the NameNode may drop any but the one that is not. */
    WORST
  }

  /** A block and what it is meant to hold. */
  record Held(String where, Block block, int crc) {}

  /** The first block that could be lost for good; empty when none could. */
  Optional<String> firstLoss(Fault fault, Outlook outlook) throws IOException {
    return firstLoss(liveBlocks(), fault, outlook);
  }

  /** The first block of another file that could be lost if all blocks of this one were changed. */
  Optional<String> firstLossWithout(String path) throws IOException {
    Set<Block> its = new HashSet<>();
    blocksOf(path).forEach(held -> its.add(held.block()));
    List<Held> others = liveBlocks().stream().filter(held -> !held.where().equals(path)).toList();
    return firstLoss(others, (block, node) -> its.contains(block), Outlook.WORST);
  }

  private Optional<String> firstLoss(List<Held> blocks, Fault fault, Outlook outlook)
      throws IOException {
    world.look();
    Set<Block> covered = new HashSet<>();
    Set<Block> determined = new HashSet<>();
    for (ParityFile parity : parities()) {
      coveredBy(parity, fault, outlook, covered, determined);
    }
    for (Held held : blocks) {
      boolean inStripe = covered.contains(held.block());
      boolean safe =
          determined.contains(held.block())
              || isThere(held, fault, inStripe || hasExcess(held) ? outlook : Outlook.NOW);
      if (!safe) {
        return Optional.of(
            "%s of %s, %s, has %s"
                .formatted(
                    held.block(),
                    held.where(),
                    inStripe ? "in a stripe" : "in no stripe",
                    world.copies(held.block(), held.crc())));
      }
    }
    return Optional.empty();
  }

  /** After a concat onto a file with fewer replicas the NameNode may keep any, also a bad one. */
  private boolean hasExcess(Held held) throws IOException {
    int wanted =
        world.access().namespace().file(held.where()).map(LocatedFile::replication).orElse(0);
    return world.copies(held.block(), held.crc()).size() > wanted;
  }

  /** Whether each replica of the file is up and sound: then a user may do anything to it. */
  boolean isWhole(String path) throws IOException {
    world.look();
    for (Held held : blocksOf(path)) {
      if (!isThere(held, NONE, Outlook.WORST)) {
        return false;
      }
    }
    return true;
  }

  /** Blocks of a file of which some replica is bad. */
  long doubtful(String path) throws IOException {
    world.look();
    long doubtful = 0;
    for (Held held : blocksOf(path)) {
      doubtful += world.copies(held.block(), held.crc()).stream().allMatch(Copy::sound) ? 0 : 1;
    }
    return doubtful;
  }

  /** Each unit of each stripe whose block is as recorded, and whether the others determine it. */
  private void coveredBy(
      ParityFile parity, Fault fault, Outlook outlook, Set<Block> covered, Set<Block> determined)
      throws IOException {
    Manifest manifest = parity.manifest();
    ErasureCodec codec = Codecs.parse(manifest.codec());
    int k = codec.shape().dataUnits();
    int m = codec.shape().parityUnits();
    List<Block> parityBlocks = parity.file().contents();
    List<List<Block>> now = new ArrayList<>();
    for (Member member : manifest.members()) {
      now.add(
          world
              .access()
              .namespace()
              .file(member.inode())
              .map(LocatedFile::contents)
              .orElse(List.of()));
    }
    for (int index = 0; index < manifest.stripes().size(); index++) {
      Stripe stripe = manifest.stripes().get(index);
      UnitSet sound = UnitSet.range(stripe.data().size(), k);
      Map<Integer, Block> lost = new HashMap<>();
      for (int unit = 0; unit < stripe.data().size(); unit++) {
        DataUnit data = stripe.data().get(unit);
        if (now.get(data.member()).contains(data.block())) {
          covered.add(data.block());
          if (isThere(new Held("a stripe", data.block(), data.crc()), fault, outlook)) {
            sound = sound.with(unit);
          } else {
            lost.put(unit, data.block());
          }
        }
      }
      for (int p = 0; p < m; p++) {
        Block block = parityBlocks.get(index * m + p);
        if (isThere(new Held("parity", block, stripe.parityCrcs().get(p)), fault, outlook)) {
          sound = sound.with(k + p);
        }
      }
      UnitSet available = sound;
      lost.forEach(
          (unit, block) -> {
            if (codec.recipe(UnitSet.of(unit), available, ReadCost.UNIFORM).isPresent()) {
              determined.add(block);
            }
          });
    }
  }

  private boolean isThere(Held held, Fault fault, Outlook outlook) throws IOException {
    List<Copy> copies = world.copies(held.block(), held.crc());
    long usable =
        copies.stream()
            .filter(copy -> copy.sound() && world.isUp(copy.node()))
            .filter(copy -> !fault.hits(held.block(), copy.node()))
            .count();
    return usable > 0 && (outlook == Outlook.NOW || usable == copies.size());
  }

  /** What protects: nothing does while the root is away. */
  List<ParityFile> parities() throws IOException {
    if (world.isRootAway()) {
      return List.of();
    }
    List<Long> inodes = new ArrayList<>();
    world.access().parity().forEach(inodes::add);
    List<ParityFile> parities = new ArrayList<>();
    for (long inode : inodes) {
      world.access().parity().find(inode).ifPresent(parities::add);
    }
    return parities;
  }

  List<Held> parityBlocks() throws IOException {
    List<Held> held = new ArrayList<>();
    for (ParityFile parity : parities()) {
      List<Integer> crcs =
          parity.manifest().stripes().stream().flatMap(s -> s.parityCrcs().stream()).toList();
      List<Block> blocks = parity.file().contents();
      for (int i = 0; i < blocks.size(); i++) {
        held.add(new Held(parity.file().path(), blocks.get(i), crcs.get(i)));
      }
    }
    return held;
  }

  List<Held> liveBlocks() throws IOException {
    List<Held> held = new ArrayList<>();
    for (String path : model.paths()) {
      held.addAll(blocksOf(path));
    }
    return held;
  }

  List<Held> blocksOf(String path) throws IOException {
    LocatedFile file =
        world
            .access()
            .namespace()
            .file(path)
            .orElseThrow(() -> new AssertionError("HDFS has no " + path));
    byte[] bytes = model.file(path).bytes();
    List<Held> held = new ArrayList<>();
    int start = 0;
    for (LocatedBlock block : file.blocks()) {
      int length = (int) block.block().length();
      if (start + length > bytes.length) {
        throw new AssertionError(
            "%s has %d bytes or more on HDFS, not %d"
                .formatted(path, start + length, bytes.length));
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes, start, length);
      held.add(new Held(path, block.block(), (int) crc.getValue()));
      start += length;
    }
    return held;
  }
}
