// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.StoragePolicy;
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
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options.Rename;

/** A draft in a directory of its own: {@code tmp/<inode>-<random>}. */
final class HdfsParityDraft implements ParityDraft {
  private final HdfsParityStore store;
  private final UnitFiles files;
  private final long inode;
  private final String directory;
  private final Map<Integer, Long> lengths = new ConcurrentHashMap<>();
  private volatile boolean removed;

  /** The inode id of the parity file if its manifest has further pieces. */
  private OptionalLong described = OptionalLong.empty();

  private StoragePolicy policy = StoragePolicy.UNSPECIFIED;

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
    String path = unit(index);
    store.checkFence();
    UnitOutput out = new HdfsUnitOutput(files.create(path, length, favoured), path, length);
    lengths.put(index, length);
    return out;
  }

  private String unit(int index) {
    return directory + "/" + index;
  }

  private String parity() {
    return directory + "/parity";
  }

  @Override
  public LocatedFile concat(int units) throws IOException {
    long longest = 0;
    for (int index = 0; index < units; index++) {
      longest = Math.max(longest, length(index));
    }
    // The target is an empty file: concat refuses sources whose preferred block size exceeds the
    // target's.
    store.checkFence();
    files.create(parity(), longest, Optional.empty()).close();
    store
        .writer()
        .concat(parity(), IntStream.range(0, units).mapToObj(this::unit).toArray(String[]::new));
    if (policy.specified()) {
      store.writer().setStoragePolicy(parity(), policy.name());
    }
    LocatedFile parity = current();
    boolean asWritten = parity.blocks().size() == units && !parity.underConstruction();
    for (int index = 0; asWritten && index < units; index++) {
      asWritten = parity.blocks().get(index).block().length() == length(index);
    }
    if (!asWritten) {
      throw new IOException(
          "%s should have %d blocks, one for each unit, but has %s"
              .formatted(
                  parity(), units, parity.blocks().stream().map(LocatedBlock::block).toList()));
    }
    return parity;
  }

  private long length(int index) {
    Long length = lengths.get(index);
    if (length == null) {
      throw new IllegalStateException(
          "Parity unit %d of inode %d was not written".formatted(index, inode));
    }
    return length;
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
    return store
        .find(inode)
        .orElseThrow(() -> new IOException("%s is gone right after its commit".formatted(target)));
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
