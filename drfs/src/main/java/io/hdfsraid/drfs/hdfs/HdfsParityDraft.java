// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.parity.UnitOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options.Rename;

/** A draft in a directory of its own: {@code tmp/<inode>-<epoch>-<random>}. */
final class HdfsParityDraft implements ParityDraft {
  private final HdfsParityStore store;
  private final UnitFiles files;
  private final long inode;
  private final String directory;
  private final Map<Integer, WrittenUnit> units = new ConcurrentHashMap<>();
  private volatile boolean removed;

  /** The inode id of the parity file if its manifest has further pieces. */
  private OptionalLong described = OptionalLong.empty();

  /** The inode id of the parity file that was concatenated here. */
  private OptionalLong concatenated = OptionalLong.empty();

  private StoragePolicy policy = StoragePolicy.UNSPECIFIED;

  /** The file of a unit: its name in the directory of the draft, and its length. */
  private record WrittenUnit(String name, long length) {}

  HdfsParityDraft(HdfsParityStore store, UnitFiles files, long inode, String directory) {
    this.store = store;
    this.files = files;
    this.inode = inode;
    this.directory = directory;
  }

  /**
   * Sets the policy on the directory, from which new files inherit it. It is set on the parity
   * itself before the parity leaves the directory.
   */
  @Override
  public void follow(StoragePolicy wanted) throws IOException {
    policy = wanted;
    if (policy.specified()) {
      store.writer().setStoragePolicy(directory, policy.name());
    }
  }

  @Override
  public void requireStorable(Manifest manifest) throws IOException {
    List<Map<String, byte[]>> unused = ManifestXAttrs.encode(manifest);
  }

  @Override
  public UnitOutput create(int index, Optional<DataNode> favoured, long length) throws IOException {
    if (length < 1) {
      throw new IllegalArgumentException(
          "A parity unit has 1 or more bytes, but unit %d has %d".formatted(index, length));
    }
    String name = Integer.toString(index);
    Optional<String> address =
        favoured.isPresent() ? Optional.of(files.address(favoured.get())) : Optional.empty();
    store.checkFence();
    UnitOutput out = files.open(directory + "/" + name, length, address);
    take(index, name, length);
    return out;
  }

  @Override
  public DraftLoan lend(String user) throws IOException {
    return store.lend(directory, user);
  }

  @Override
  public void take(int index, String name, long length) {
    units.put(index, new WrittenUnit(name, length));
  }

  private String parity() {
    return directory + "/parity";
  }

  @Override
  public LocatedFile concat(int count) throws IOException {
    long longest = 0;
    String[] paths = new String[count];
    for (int index = 0; index < count; index++) {
      longest = Math.max(longest, unit(index).length());
      paths[index] = directory + "/" + unit(index).name();
    }
    // The target is an empty file: concat refuses sources whose preferred block size exceeds the
    // target's.
    store.checkFence();
    files.create(parity(), longest, Optional.empty()).close();
    store.writer().concat(parity(), paths);
    if (policy.specified()) {
      store.writer().setStoragePolicy(parity(), policy.name());
    }
    LocatedFile parity = current();
    boolean asWritten = parity.blocks().size() == count && !parity.underConstruction();
    for (int index = 0; asWritten && index < count; index++) {
      asWritten = parity.blocks().get(index).block().length() == unit(index).length();
    }
    if (!asWritten) {
      throw new IOException(
          "%s should have %d blocks, one for each unit, but has %s"
              .formatted(
                  parity(), count, parity.blocks().stream().map(LocatedBlock::block).toList()));
    }
    concatenated = OptionalLong.of(parity.inode());
    return parity;
  }

  private WrittenUnit unit(int index) {
    WrittenUnit unit = units.get(index);
    if (unit == null) {
      throw new IllegalStateException(
          "Parity unit %d of inode %d was not written".formatted(index, inode));
    }
    return unit;
  }

  private LocatedFile current() throws IOException {
    return store
        .namespace()
        .file(parity())
        .orElseThrow(
            () ->
                new IOException(
                    "%s is gone; another daemon may have removed the draft".formatted(parity())));
  }

  @Override
  public void describe(Manifest manifest, LocatedFile source) throws IOException {
    List<Map<String, byte[]>> pieces = ManifestXAttrs.encode(manifest);
    store.setXAttrs(parity(), pieces.get(0));
    if (pieces.size() > 1) {
      described = OptionalLong.of(current().inode());
      store.pieces().write(described.getAsLong(), pieces.subList(1, pieces.size()));
    }
    if (manifest.parityReplication() > 1) {
      store.writer().setReplication(parity(), (short) manifest.parityReplication());
    }
    store.rights().copy(manifest.members().stream().map(Member::inode).toList(), parity());
  }

  @Override
  public ParityFile commit() throws IOException {
    String target = store.committedPath(inode);
    try {
      store.writer().rename(parity(), target, Rename.NONE);
    } catch (FileAlreadyExistsException e) {
      RefusedException refused =
          new RefusedException(
              "Inode %d has parity already (%s): quarantine it first".formatted(inode, target));
      refused.initCause(e);
      throw refused;
    }
    close();
    ParityFile committed =
        store
            .find(inode)
            .orElseThrow(
                () -> new IOException("%s is gone right after its commit".formatted(target)));
    if (concatenated.isPresent() && committed.file().inode() != concatenated.getAsLong()) {
      store.retire(committed);
      throw new IOException(
          "%s is not the file that was proven (inode %d, not %d): something replaced it in the draft. It was moved to quarantine"
              .formatted(target, committed.file().inode(), concatenated.getAsLong()));
    }
    return committed;
  }

  @Override
  public void close() throws IOException {
    if (removed) {
      return;
    }
    boolean recursive = true;
    try {
      store.writer().delete(directory, recursive);
      if (described.isPresent()) {
        store.pieces().remove(described.getAsLong());
      }
      removed = true;
    } finally {
      store.finished(directory); // also on failure: then no task owns it, and it is swept
    }
  }
}
