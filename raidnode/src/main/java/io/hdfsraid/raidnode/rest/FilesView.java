package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.FileDetail;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import java.io.IOException;
import java.util.Optional;

/** The files the daemon knows. */
public interface FilesView {
  /**
   * A page of them by inode id.
   *
   * @param below a file, or a directory with everything below it
   * @throws ApiFailure when the cursor is not one
   */
  Page<FileView> list(String below, Optional<FileState> state, Paging paging);

  /** All about one file; empty when nothing is known about it. */
  Optional<FileDetail> find(long inode) throws IOException;
}
