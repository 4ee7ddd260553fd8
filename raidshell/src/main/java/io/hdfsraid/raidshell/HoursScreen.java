package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HoursView;

/** Shows when policies may act. */
abstract class HoursScreen extends RestCommand<HoursView> {
  @Override
  void show(HoursView view, Screen screen) {
    screen.line(
        view.wanted()
            .map(
                wish ->
                    "%s until %s, whatever windows say."
                        .formatted(
                            switch (wish.wish()) {
                              case OPEN -> "Policies act at full speed";
                              case CLOSED -> "Policies raid nothing";
                              case FOLLOW -> "As windows say";
                            },
                            Screen.time(wish.until())))
            .orElse("Policies act as their windows say."));
    for (HoursView.PolicyHours policy : view.policies()) {
      screen.line(OutlookCommand.hours(policy.policy(), policy.hours()));
    }
  }
}
