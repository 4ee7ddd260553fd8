// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.CodecFacts.UnitRepair;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** A table of codecs for administrators. */
public final class CodecTable {
  private static final Pattern AUTHOR_AND_YEAR = Pattern.compile("(\\p{L}+).*\\b(\\d{4})\\b.*");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("Scheme", "SCHEME", CodecFacts::name),
          new Column("Units", "K+M", CodecTable::shape),
          new Column("α", "α", codec -> Integer.toString(codec.layout().subUnits())),
          new Column(
              "Stored per byte",
              "STORED",
              codec -> String.format(Locale.ROOT, "%.2f", codec.overhead())),
          new Column("Losses borne", "BEARS", codec -> Integer.toString(codec.lossesBorne())),
          new Column("Distance", "DISTANCE", codec -> Integer.toString(codec.distance())),
          new Column("Nodes needed", "NODES", codec -> Integer.toString(codec.units())),
          new Column("Racks needed", "RACKS", codec -> Integer.toString(codec.racks())),
          new Column("Blocks read per repair", "BLOCKS READ", CodecTable::reads),
          new Column("Helpers", "HELPERS", CodecTable::helpers));

  /**
   * All but the source.
   *
   * @param heading of a document
   * @param onScreen where there is less room
   */
  private record Column(String heading, String onScreen, Function<CodecFacts, String> cell) {}

  private final List<CodecFacts> codecs;

  public CodecTable(List<CodecFacts> codecs) {
    this.codecs = List.copyOf(codecs);
  }

  /** One codec of each family and usual shape. */
  public static CodecTable ofAll() {
    return new CodecTable(Codecs.all().stream().map(CodecFacts::of).toList());
  }

  List<String> heading() {
    return Stream.concat(COLUMNS.stream().map(Column::onScreen), Stream.of("SOURCE")).toList();
  }

  /** For a screen: of the source only the first author and the year. */
  List<List<String>> rows() {
    return codecs.stream().map(codec -> row(codec, authorAndYear(codec.source()))).toList();
  }

  private static List<String> row(CodecFacts codec, String source) {
    return Stream.concat(
            COLUMNS.stream().map(column -> column.cell().apply(codec)), Stream.of(source))
        .toList();
  }

  private static String authorAndYear(String source) {
    Matcher matcher = AUTHOR_AND_YEAR.matcher(source);
    return matcher.matches() ? matcher.group(1) + " " + matcher.group(2) : source;
  }

  private static String shape(CodecFacts codec) {
    return "%d+%d".formatted(codec.shape().dataUnits(), codec.shape().parityUnits());
  }

  private static String reads(CodecFacts codec) {
    String range = range(codec.readsByUnit().stream().mapToDouble(Double::doubleValue));
    boolean alike = codec.readsByUnit().stream().distinct().count() == 1;
    return alike ? range : range + ", mean " + number(codec.averageReads());
  }

  private static String helpers(CodecFacts codec) {
    return range(codec.repairs().stream().mapToDouble(UnitRepair::helpers));
  }

  /** The same for every unit, or from the least to the most. */
  private static String range(DoubleStream values) {
    var all = values.summaryStatistics();
    return all.getMin() == all.getMax()
        ? number(all.getMin())
        : "%s to %s".formatted(number(all.getMin()), number(all.getMax()));
  }

  static String number(double number) {
    return number == Math.rint(number)
        ? Integer.toString((int) number)
        : String.format(Locale.ROOT, "%.2f", number);
  }

  /**
   * Returns the table of the documents, between {@code <!-- codecs -->} and {@code <!-- /codecs
   * -->}.
   */
  public String markdown() {
    List<String> heading =
        Stream.concat(COLUMNS.stream().map(Column::heading), Stream.of("Source")).toList();
    String numbers = "--:|".repeat(heading.size() - 2);
    return Stream.concat(
            Stream.of(line(heading), "|---|" + numbers + "---|"),
            codecs.stream().map(codec -> line(row(codec, codec.source()))))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
