// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import java.util.Optional;
import java.util.function.Predicate;

/** Turns a line of the history into one of the audit, and back. */
final class AuditedAction {
  private static final String USER = "user";
  private static final String DAEMON = "daemon";
  private static final String POLICY = "policy ";
  private static final String BY = "by";
  private static final String REQUEST = "request";
  private static final String PATH = "path";
  private static final String INODE = "inode";
  private static final String REASON = "reason";
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String OUTCOME = "outcome";
  private static final String OK = "ok";
  private static final String READ = "read";
  private static final String WRITTEN = "written";
  private static final String EPOCH = "epoch";
  private static final String DETAIL = "detail";

  private AuditedAction() {}

  /**
   * Returns the line of the audit.
   *
   * @param isPolicy whether a name is that of a policy in force
   */
  static AuditEntry entry(HistoryRecord done, Predicate<String> isPolicy) {
    AuditEntry entry = new AuditEntry(done.at(), done.event());
    if (!done.cause().request().isEmpty()) {
      entry.with(USER, done.by()).with(REQUEST, done.cause().request());
    } else if (isPolicy.test(done.by())) {
      entry.with(USER, POLICY + done.by());
    } else {
      entry.with(USER, DAEMON).with(BY, done.by());
    }
    entry.with(PATH, done.path());
    done.inode().ifPresent(inode -> entry.with(INODE, inode));
    return entry
        .with(REASON, done.cause().reason())
        .with(BEFORE, done.before())
        .with(AFTER, done.after())
        .with(OUTCOME, done.succeeded() ? OK : "failed")
        .with(READ, shown(done.bytesRead()))
        .with(WRITTEN, shown(done.bytesWritten()))
        .with(EPOCH, shown(done.epoch()))
        .with(DETAIL, done.detail());
  }

  private static String shown(long number) {
    return number == 0 ? "" : Long.toString(number);
  }

  /** Returns the line of the history again; empty if that cannot be. */
  static Optional<HistoryRecord> record(AuditEntry entry) {
    try {
      return Optional.of(
          new HistoryRecord(
              entry.at(),
              entry.what(),
              optionalNumber(entry, INODE),
              entry.given(PATH),
              entry.given(OUTCOME).equals(OK),
              by(entry),
              entry.given(DETAIL),
              number(entry, READ),
              number(entry, WRITTEN),
              new Cause(entry.given(REQUEST), entry.given(REASON)),
              entry.given(BEFORE),
              entry.given(AFTER),
              number(entry, EPOCH)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns the line as it comes back from the audit, which cuts very long texts. */
  static Optional<HistoryRecord> asKept(HistoryRecord done) {
    return record(entry(done, name -> false));
  }

  private static String by(AuditEntry entry) {
    String user = entry.given(USER);
    if (!entry.given(REQUEST).isEmpty()) {
      return user;
    }
    return user.startsWith(POLICY) ? user.substring(POLICY.length()) : entry.given(BY);
  }

  private static Optional<Long> optionalNumber(AuditEntry entry, String key) {
    return Optional.of(entry.given(key)).filter(text -> !text.isEmpty()).map(Long::valueOf);
  }

  private static long number(AuditEntry entry, String key) {
    return optionalNumber(entry, key).orElse(0L);
  }
}
