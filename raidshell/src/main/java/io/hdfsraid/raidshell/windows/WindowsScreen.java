// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.windows;

import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.plan.PlanCommand;

/** Shows when policies may act. */
abstract class WindowsScreen extends RestCommand<WindowsReport> {
  @Override
  protected void show(WindowsReport view, Screen screen) {
    screen.line(
        view.override()
            .map(
                mode ->
                    "%s until %s, whatever windows say."
                        .formatted(
                            switch (mode.mode()) {
                              case OPEN -> "Policies act at full speed";
                              case CLOSED -> "Policies raid nothing";
                              case FOLLOW -> "As windows say";
                            },
                            Screen.time(mode.until())))
            .orElse("Policies act as their windows say."));
    for (WindowsReport.PolicyWindow policy : view.policies()) {
      screen.line(PlanCommand.window(policy.policy(), policy.window()));
    }
  }
}
