// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.files;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "files",
    description = "Lists the files that the RaidNode knows, with state and reason.")
public final class FilesCommand extends RestCommand<Page<FileSummary>> {
  @Mixin private PathParameter path;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only files in this state: ${COMPLETION-CANDIDATES}")
  private FileState state;

  @Mixin private PagingOptions paging;

  @Override
  protected Page<FileSummary> ask(RaidNodeClient client) throws IOException {
    return client.files(path.path(), Optional.ofNullable(state), paging.paging());
  }

  @Override
  protected void show(Page<FileSummary> files, Screen screen) {
    if (files.items().isEmpty() && files.next().isEmpty()) {
      screen.line(
          "No such file is known. The daemon knows what it saw at its last scan: 'raidshell status'"
              + " says when.");
      return;
    }
    boolean routed = files.items().stream().anyMatch(file -> file.clientPath().isPresent());
    Stream<String> ofAll =
        Stream.of(
            "INODE",
            "STATE",
            "REASON",
            "LENGTH",
            "REPLICATION",
            "CODEC",
            "POLICY",
            "LAST ACCESS",
            "PATH");
    screen.table(
        Stream.concat(ofAll, Stream.of("PATH OF CLIENTS").filter(name -> routed)).toList(),
        files.items().stream().map(file -> row(file, routed)).toList());
    PagingOptions.showNext(files.next(), screen);
  }

  private static List<String> row(FileSummary file, boolean routed) {
    Stream<String> ofAll =
        Stream.of(
            Long.toString(file.inode()),
            file.state().name(),
            Screen.orDash(file.reason()),
            Screen.bytes(file.length()),
            file.replication()
                + file.targetReplication()
                    .filter(target -> target != file.replication())
                    .map(target -> " -> " + target)
                    .orElse(""),
            Screen.orDash(file.codec()) + (file.group().isPresent() ? " (group)" : ""),
            Screen.orDash(file.policy()),
            Screen.time(file.lastAccess()),
            file.path());
    return Stream.concat(ofAll, Stream.of(Screen.orDash(file.clientPath())).filter(path -> routed))
        .toList();
  }
}
