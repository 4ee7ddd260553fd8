// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of all checks.
 *
 * @param hdfs which cluster
 * @param user who asked
 * @param grade the worst of the findings
 * @param codecs empty when the DataNodes are not known
 */
public record DoctorReport(
    String hdfs, String user, Grade grade, List<CheckResult> findings, List<CodecFit> codecs) {
  public DoctorReport {
    findings = List.copyOf(findings);
    codecs = List.copyOf(codecs);
  }

  /** Returns this report with more findings at its beginning. */
  DoctorReport after(List<CheckResult> first) {
    List<CheckResult> all = new ArrayList<>(first);
    all.addAll(findings);
    return of(hdfs, user, all, codecs);
  }

  /** Returns this report with more findings at its end. */
  DoctorReport before(List<CheckResult> last) {
    List<CheckResult> all = new ArrayList<>(findings);
    all.addAll(last);
    return of(hdfs, user, all, codecs);
  }

  static DoctorReport of(
      String hdfs, String user, List<CheckResult> findings, List<CodecFit> codecs) {
    Grade worst = findings.stream().map(CheckResult::grade).reduce(Grade.OK, Grade::orWorse);
    return new DoctorReport(hdfs, user, worst, findings, codecs);
  }
}
