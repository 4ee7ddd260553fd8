// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.curve;

import io.hdfsraid.raidshell.command.Screen;
import java.util.List;
import java.util.Locale;

/** The curve as a table, for people and for documents. */
record CurveTable(List<CurvePoint> points) {
  private static final List<String> HEADING =
      List.of(
          "File size",
          "3 copies",
          "HDFS EC, 64 KiB cells",
          "HDFS EC, 1 MiB cells",
          "Raided alone",
          "Raided in groups",
          "Objects: 3 copies",
          "HDFS EC",
          "Raided alone",
          "Raided in groups");

  void show(Screen screen) {
    screen.table(HEADING, points.stream().map(CurveTable::row).toList());
    screen.blank();
    screen.line(
        "Bytes on disks for each byte of the files; objects of the NameNode for 10^15 bytes.");
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", HEADING)).append(" |\n");
    text.append("|--:".repeat(HEADING.size())).append("|\n");
    for (CurvePoint point : points) {
      text.append("| ").append(String.join(" | ", row(point))).append(" |\n");
    }
    return text.toString();
  }

  private static List<String> row(CurvePoint point) {
    return List.of(
        size(point.size()),
        times(point.copies()),
        times(point.native64k()),
        times(point.native1024k()),
        times(point.alone()),
        times(point.group()),
        millions(point.objectsCopies()),
        millions(point.objectsNative()),
        millions(point.objectsAlone()),
        millions(point.objectsGroup()));
  }

  static String size(long bytes) {
    if (bytes >= 1L << 30) {
      return (bytes >> 30) + " GiB";
    }
    return bytes >= 1L << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }

  private static String times(double factor) {
    return String.format(Locale.ROOT, "%.2f", factor);
  }

  private static String millions(long objects) {
    return String.format(Locale.ROOT, "%,.1f M", objects / 1e6);
  }
}
