package io.hdfsraid.offline.doctor;

import java.util.List;

/**
 * All that was found.
 *
 * @param hdfs which cluster
 * @param user who asked
 * @param grade the worst of the findings
 * @param codecs empty when the DataNodes are not known
 */
public record Checkup(
    String hdfs, String user, Grade grade, List<Finding> findings, List<CodecFit> codecs) {
  public Checkup {
    findings = List.copyOf(findings);
    codecs = List.copyOf(codecs);
  }

  static Checkup of(String hdfs, String user, List<Finding> findings, List<CodecFit> codecs) {
    Grade worst = findings.stream().map(Finding::grade).reduce(Grade.OK, Grade::orWorse);
    return new Checkup(hdfs, user, worst, findings, codecs);
  }
}
