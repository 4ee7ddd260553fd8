package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "files", description = "Files the RaidNode knows, with state and reason.")
final class FilesCommand extends RestCommand<Page<FileView>> {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only files in this state: ${COMPLETION-CANDIDATES}")
  private FileState state;

  @Mixin private PagingOptions paging;

  @Override
  Page<FileView> ask(RaidNodeClient client) throws IOException {
    return client.files(path, Optional.ofNullable(state), paging.paging());
  }

  @Override
  void show(Page<FileView> files, Screen screen) {
    if (files.items().isEmpty() && files.next().isEmpty()) {
      screen.line(
          "No such file is known. The daemon knows what it saw at its last scan: 'raidshell status' says when.");
      return;
    }
    screen.table(
        List.of(
            "INODE",
            "STATE",
            "REASON",
            "LENGTH",
            "REPLICATION",
            "CODEC",
            "POLICY",
            "LAST ACCESS",
            "PATH"),
        files.items().stream().map(FilesCommand::row).toList());
    PagingOptions.showNext(files.next(), screen);
  }

  private static List<String> row(FileView file) {
    return List.of(
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
  }
}
