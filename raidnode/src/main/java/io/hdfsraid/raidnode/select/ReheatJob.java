package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.Action;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.ReheatRule.Decision;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases raided files that are read again, by the reheat rules of their policies, and files that
 * a policy tells to release. It counts the cost of files that should not have been raided.
 */
public final class ReheatJob {
  private static final Logger LOG = LoggerFactory.getLogger(ReheatJob.class);

  /** Each asks HDFS for more replicas; the next round goes on. */
  private static final int MOST = 1_000;

  private static final int PAGE = 1_000;

  private final Catalog catalog;
  private final Recency recency;
  private final PoliciesInForce policies;
  private final WorkingHours hours;
  private final OperatingMode mode;
  private final ReconcileJob reconciler;
  private final Journal journal;
  private final RaidEvents events;
  private final RaidedUse use;
  private final Clock clock;

  /** A round; nothing runs until it is called. */
  public ReheatJob(
      Catalog catalog,
      Recency recency,
      PoliciesInForce policies,
      WorkingHours hours,
      OperatingMode mode,
      ReconcileJob reconciler,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.catalog = catalog;
    this.recency = recency;
    this.policies = policies;
    this.hours = hours;
    this.mode = mode;
    this.reconciler = reconciler;
    this.journal = journal;
    this.events = events;
    this.use = new RaidedUse(catalog.earlierUse(), clock);
    this.clock = clock;
  }

  /**
   * One round over all raided files.
   *
   * @return how many are let go
   */
  public int run() throws IOException {
    PoliciesInForce.Rules rules = policies.now();
    catalog.reheats().forgetBefore(clock.instant().minus(longestCoolDown(rules.policies())));
    Look look = new Look(rules);
    int letGo = 0;
    Optional<Long> after = look.isPointless() ? Optional.empty() : Optional.of(-1L);
    while (after.isPresent() && letGo < MOST) {
      KnownFiles.Page page =
          catalog
              .files()
              .page(Optional.of(FileState.RAIDED), look::concerns, after.get(), PAGE, PAGE);
      for (FileRecord file : page.files()) {
        letGo += look.letsGo(file) ? 1 : 0;
      }
      after = page.next();
    }
    return letGo;
  }

  /** What is the same for all files of a round, asked once: there may be millions. */
  private final class Look {
    private final PoliciesInForce.Rules rules;
    private final AccessTracking tracking = recency.tracking();
    private final Map<String, ReheatRule> reheating;
    private final boolean unraiding;

    Look(PoliciesInForce.Rules rules) {
      this.rules = rules;
      this.reheating =
          rules.policies().inOrder().stream()
              .filter(policy -> policy.reheat().isPresent())
              .collect(Collectors.toMap(Policy::name, policy -> policy.reheat().orElseThrow()));
      this.unraiding =
          rules.policies().inOrder().stream()
              .anyMatch(policy -> policy.action() instanceof Action.ToUnraid);
    }

    /** No file can be let go. */
    boolean isPointless() {
      return reheating.isEmpty() && !unraiding;
    }

    /** The file may be let go, as far as its record tells. */
    boolean concerns(FileRecord file) {
      return unraiding || reheating.containsKey(file.standing().by());
    }

    boolean letsGo(FileRecord file) {
      Optional<FileFacts> listed = catalog.namespace().file(file.inode()).map(IndexedFacts::of);
      if (listed.isEmpty()) {
        return false;
      }
      FileFacts facts = catalog.reheats().complete(file.complete(listed.get()));
      ReheatRule rule = reheating.get(file.standing().by());
      if (rule != null
          && rule.decide(use.look(file, facts, rule), clock.instant())
              instanceof Decision.Reheat decision) {
        return reheat(file, decision.detail().toString());
      }
      return unraiding
          && rules.judge().verdict(facts, tracking) instanceof Verdict.Unraid unraid
          && mayAct(rules, unraid.policy())
          && letGo(file, unraid.policy().name());
    }
  }

  /** Not less than is usual: a policy that is taken out may come back tomorrow. */
  private static Duration longestCoolDown(Policies policies) {
    return policies.inOrder().stream()
        .flatMap(policy -> policy.reheat().stream())
        .map(ReheatRule::coolDown)
        .filter(each -> each.compareTo(ReheatRule.DEFAULT_COOL_DOWN) > 0)
        .max(Duration::compareTo)
        .orElse(ReheatRule.DEFAULT_COOL_DOWN);
  }

  private boolean mayAct(PoliciesInForce.Rules rules, Policy policy) {
    return mode.paused().isEmpty() && hours.of(rules.policies(), policy).open();
  }

  private boolean reheat(FileRecord file, String why) {
    Instant now = clock.instant();
    // First, so that no policy takes it again though this process ends on the way.
    catalog.reheats().put(file.inode(), now);
    if (!letGo(file, "reheat")) {
      return false;
    }
    long copied = copied(file);
    LOG.atInfo()
        .addKeyValue("path", file.facts().path())
        .addKeyValue("policy", file.standing().by())
        .addKeyValue("why", why)
        .addKeyValue("bytes", copied)
        .log("A file that is read again gets its replicas back");
    journal.note(
        "reheated",
        Optional.of(file.inode()),
        file.facts().path(),
        true,
        file.standing().by(),
        why + " %d bytes are replicated again.".formatted(copied),
        copied,
        copied);
    catalog.reheatCosts().add(cost -> cost.plusReheated(copied));
    events.reheated(file, copied);
    return true;
  }

  private static long copied(FileRecord file) {
    Parity parity = file.parity().orElseThrow();
    return file.facts().length()
        * Math.max(0, parity.originalReplication() - parity.targetReplication());
  }

  private boolean letGo(FileRecord file, String by) {
    try {
      reconciler.unraid(List.of(file.inode()), by);
      return true;
    } catch (FileInWorkException e) {
      return false; // the next round meets it again
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} is not let go now", file.facts().path(), e); // the journal has said so
      return false;
    }
  }
}
