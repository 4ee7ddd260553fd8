// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.curve;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The curve as an SVG picture: file sizes on a logarithmic x-axis, bytes on disks on the y-axis.
 */
record CurvePicture(List<CurvePoint> points, String title) {
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int WIDTH = 640;
  private static final int HEIGHT = 320;
  private static final double LOWEST = 1;
  private static final double HIGHEST = 5;

  /** A line of the picture; dashes keep them apart in print. */
  private record Line(String label, String colour, String dash, ToDoubleFunction<CurvePoint> of) {}

  private static final List<Line> LINES =
      List.of(
          new Line("3 copies", "#555555", "2 4", CurvePoint::copies),
          new Line("HDFS EC, 1 MiB cells", "#c0504d", "8 4", CurvePoint::native1024k),
          new Line("HDFS EC, 64 KiB cells", "#e39a3b", "8 4 2 4", CurvePoint::native64k),
          new Line("raided alone", "#3b6fb6", "4 2", CurvePoint::alone),
          new Line("raided in groups", "#2e8b57", "", CurvePoint::group));

  String svg() {
    StringBuilder out = new StringBuilder();
    out.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n",
            LEFT + WIDTH + 20, TOP + HEIGHT + 150));
    out.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    out.append(text(LEFT, 20, "start", title));
    for (int factor = (int) LOWEST; factor <= HIGHEST; factor++) {
      out.append(
          format("<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>%n", LEFT, y(factor), LEFT + WIDTH));
      out.append(text(LEFT - 8, y(factor) + 4, "end", Integer.toString(factor)));
    }
    for (int i = 0; i < points.size(); i += 2) {
      out.append(text(x(i), TOP + HEIGHT + 20, "middle", CurveTable.size(points.get(i).size())));
    }
    int below = TOP + HEIGHT + 44;
    for (Line line : LINES) {
      out.append(path(line));
      out.append(
          format(
              "<path d=\"M%d %d h40\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>%n",
              LEFT, below - 4, line.colour(), line.dash()));
      out.append(text(LEFT + 50, below, "start", line.label()));
      below += 18;
    }
    return out.append("</svg>\n").toString();
  }

  private String path(Line line) {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < points.size(); i++) {
      d.append(i == 0 ? 'M' : 'L');
      d.append(format("%.1f %.1f", x(i), y(line.of().applyAsDouble(points.get(i)))));
    }
    return format(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>%n",
        d, line.colour(), line.dash());
  }

  private double x(int point) {
    return LEFT + (double) WIDTH * point / (points.size() - 1);
  }

  private static double y(double factor) {
    double part = (Math.min(HIGHEST, factor) - LOWEST) / (HIGHEST - LOWEST);
    return TOP + HEIGHT * (1 - part);
  }

  private static String text(double x, double y, String anchor, String words) {
    return format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, words);
  }

  /** The same bytes wherever it runs. */
  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
  }
}
