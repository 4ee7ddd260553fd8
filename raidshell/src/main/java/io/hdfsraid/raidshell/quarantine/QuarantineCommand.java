// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.quarantine;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TaskCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "quarantine",
    description =
        "Lists, restores or purges parity that is kept for a while after its files were unraided or"
            + " changed.",
    subcommands = {
      QuarantineCommand.ListCommand.class,
      QuarantineCommand.RestoreCommand.class,
      QuarantineCommand.PurgeCommand.class
    })
public final class QuarantineCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  @Command(
      name = "list",
      description =
          "Lists the parity in quarantine, until when it is kept, and whether it can be restored.")
  static final class ListCommand extends RestCommand<Page<QuarantinedParity>> {
    @Mixin private PathParameter path;

    @Mixin private PagingOptions paging;

    @Override
    protected Page<QuarantinedParity> ask(RaidNodeClient client) throws IOException {
      return client.quarantine(path.path(), paging.paging());
    }

    @Override
    protected void show(Page<QuarantinedParity> kept, Screen screen) {
      if (kept.items().isEmpty() && kept.next().isEmpty()) {
        screen.line("Nothing is in quarantine.");
        return;
      }
      screen.table(
          List.of("INODE", "SINCE", "UNTIL", "CODEC", "ON DISK", "CAN BE RESTORED", "PATH"),
          kept.items().stream().map(ListCommand::row).toList());
      PagingOptions.showNext(kept.next(), screen);
    }

    private static List<String> row(QuarantinedParity kept) {
      return List.of(
          Long.toString(kept.inode()),
          Screen.time(kept.since()),
          Screen.time(kept.due()),
          kept.codec(),
          Screen.bytes(kept.bytes()),
          kept.unfit().map(why -> "no: " + why).orElse("yes"),
          kept.path());
    }
  }

  @Command(
      name = "restore",
      description = {
        "Puts parity back into service: verifies it, then lowers the replication again.",
        "Refused if it no longer matches its file. Shows the change; --yes carries it out."
      })
  static final class RestoreCommand extends TaskCommand {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPathConverter.class,
        description = "A file or directory.")
    private String path;

    @Override
    protected ChangePreview ask(RaidNodeClient client) throws IOException {
      return client.restore(new QuarantineRequest(path, dryRun()));
    }
  }

  @Command(
      name = "purge",
      description = {
        "Deletes parity now instead of at the end of its quarantine.",
        "Refused while a block that it protects lacks replicas. Shows the change; --yes carries it"
            + " out."
      })
  static final class PurgeCommand extends TaskCommand {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPathConverter.class,
        description = "A file or directory.")
    private String path;

    @Override
    protected ChangePreview ask(RaidNodeClient client) throws IOException {
      return client.purge(new QuarantineRequest(path, dryRun()));
    }
  }
}
