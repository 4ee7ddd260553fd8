package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.QuarantineRequest;
import io.hdfsraid.raidapi.QuarantineView;
import io.hdfsraid.raidapi.RaidNodeClient;
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
    description = "The parity of files that were let go or changed, kept for a while.",
    subcommands = {
      QuarantineCommand.ListCommand.class,
      QuarantineCommand.RestoreCommand.class,
      QuarantineCommand.PurgeCommand.class
    })
final class QuarantineCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  @Command(name = "list", description = "What is in quarantine, until when, and whether it fits.")
  static final class ListCommand extends RestCommand<Page<QuarantineView>> {
    @Parameters(
        arity = "0..1",
        paramLabel = "PATH",
        defaultValue = "/",
        converter = HdfsPath.class,
        description = "A file or directory. Default: ${DEFAULT-VALUE}")
    private String path;

    @Mixin private PagingOptions paging;

    @Override
    Page<QuarantineView> ask(RaidNodeClient client) throws IOException {
      return client.quarantine(path, paging.paging());
    }

    @Override
    void show(Page<QuarantineView> kept, Screen screen) {
      if (kept.items().isEmpty() && kept.next().isEmpty()) {
        screen.line("Nothing is in quarantine.");
        return;
      }
      screen.table(
          List.of("INODE", "SINCE", "UNTIL", "CODEC", "ON DISK", "CAN BE RESTORED", "PATH"),
          kept.items().stream().map(ListCommand::row).toList());
      PagingOptions.showNext(kept.next(), screen);
    }

    private static List<String> row(QuarantineView kept) {
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
        "Puts parity back into service: it is proven, then replication is lowered again.",
        "Refused where it does not fit its file any more. Shows the plan; --yes carries it out."
      })
  static final class RestoreCommand extends PlanCommand {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPath.class,
        description = "A file or directory.")
    private String path;

    @Override
    PlanView ask(RaidNodeClient client) throws IOException {
      return client.restore(new QuarantineRequest(path, dryRun()));
    }
  }

  @Command(
      name = "purge",
      description = {
        "Deletes parity now instead of when its time is over.",
        "Refused while a block it protects lacks replicas. Shows the plan; --yes carries it out."
      })
  static final class PurgeCommand extends PlanCommand {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPath.class,
        description = "A file or directory.")
    private String path;

    @Override
    PlanView ask(RaidNodeClient client) throws IOException {
      return client.purge(new QuarantineRequest(path, dryRun()));
    }
  }
}
