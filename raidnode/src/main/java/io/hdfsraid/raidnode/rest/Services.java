package io.hdfsraid.raidnode.rest;

import java.util.List;

/** Everything the REST API asks. */
public record Services(
    StatusView status,
    FilesView files,
    PolicyAnswers policies,
    HealthReports health,
    RepairsView repairs,
    RepairDesk repairDesk,
    HistoryView history,
    RaidRequests requests,
    QuarantineDesk quarantine,
    WithdrawalDesk withdrawal,
    SavingsView savings,
    SettingsAnswers settings,
    StormDesk storms,
    HoursDesk hours,
    OutlookView outlook,
    HistogramView histogram,
    PoliciesReview review) {

  /** What is to be registered with the HTTP framework. */
  public List<Object> resources() {
    return List.of(
        new StatusResource(status),
        new FilesResource(files),
        new PoliciesResource(policies),
        new HealthResource(health),
        new RepairsResource(repairs, repairDesk),
        new HistoryResource(history),
        new RequestsResource(requests),
        new QuarantineResource(quarantine),
        new WithdrawalResource(withdrawal),
        new SavingsResource(savings),
        new SettingsResource(settings),
        new StormResource(storms),
        new HoursResource(hours),
        new OutlookResource(outlook),
        new HistogramResource(histogram),
        new PoliciesReviewResource(review),
        new YamlDraft(),
        new ErrorAnswers());
  }
}
