package io.hdfsraid.offline;

import io.hdfsraid.offline.bench.BenchCommand;
import io.hdfsraid.offline.curve.CurveCommand;
import io.hdfsraid.offline.doctor.DoctorCommand;
import io.hdfsraid.offline.rescue.Installation;
import io.hdfsraid.offline.rescue.RecoverCommand;
import io.hdfsraid.offline.rescue.Rescue;
import io.hdfsraid.raidshell.ShellCommands;
import io.hdfsraid.raidshell.WithoutRaidNode;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** What {@code bin/raidshell} offers without a daemon. */
public final class OfflineCommands implements ShellCommands {
  @Override
  public List<Object> commands() {
    return List.of(
        new CodecsCommand(),
        new BenchCommand(),
        new DoctorCommand(),
        new RecoverCommand(Installation.ofThisMachine()));
  }

  @Override
  public Optional<WithoutRaidNode> withoutRaidNode() {
    return Optional.of(new Rescue(Installation.ofThisMachine(), Clock.systemUTC()));
  }

  @Override
  public Map<String, List<Object>> subcommands() {
    return Map.of(
        "policies", List.of(new ValidatePoliciesCommand()), "plan", List.of(new CurveCommand()));
  }

  @Override
  public void complete(CommandLine shell) {
    BenchCommand.complete(shell.getSubcommands().get("bench"));
  }
}
