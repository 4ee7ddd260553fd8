// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue;

import io.hdfsraid.raidshell.command.DirectAccess;
import io.hdfsraid.raidshell.command.ShellCommands;
import io.hdfsraid.rescue.codec.BenchCommand;
import io.hdfsraid.rescue.codec.CodecsCommand;
import io.hdfsraid.rescue.curve.CurveCommand;
import io.hdfsraid.rescue.direct.AuditCommand;
import io.hdfsraid.rescue.direct.HdfsDirectAccess;
import io.hdfsraid.rescue.direct.Installation;
import io.hdfsraid.rescue.direct.RecoverCommand;
import io.hdfsraid.rescue.doctor.DoctorCommand;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The commands of {@code bin/raidshell} that need no daemon. */
public final class RescueCommands implements ShellCommands {
  @Override
  public List<Object> commands() {
    return List.of(
        new CodecsCommand(),
        new BenchCommand(),
        new DoctorCommand(),
        new AuditCommand(Installation.ofThisMachine()),
        new RecoverCommand(Installation.ofThisMachine()));
  }

  @Override
  public Optional<DirectAccess> directAccess() {
    return Optional.of(new HdfsDirectAccess(Installation.ofThisMachine(), Clock.systemUTC()));
  }

  @Override
  public Map<String, List<Object>> subcommands() {
    return Map.of(
        "policies", List.of(new ValidatePoliciesCommand()), "plan", List.of(new CurveCommand()));
  }
}
