package io.hdfsraid.offline;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.Codecs;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The codecs side by side, as an administrator compares them. */
public final class CodecTable {
  private static final List<String> HEADING =
      List.of(
          "Scheme",
          "Stored per byte",
          "Losses borne",
          "Nodes needed",
          "Blocks read per repair",
          "Source");

  private final List<CodecFacts> codecs;

  public CodecTable(List<CodecFacts> codecs) {
    this.codecs = List.copyOf(codecs);
  }

  /** One codec of each family and usual shape. */
  public static CodecTable ofAll() {
    return new CodecTable(Codecs.all().stream().map(CodecFacts::of).toList());
  }

  List<String> heading() {
    return HEADING;
  }

  List<List<String>> rows() {
    return codecs.stream().map(CodecTable::row).toList();
  }

  private static List<String> row(CodecFacts codec) {
    return List.of(
        codec.name(),
        String.format(Locale.ROOT, "%.2f", codec.overhead()),
        Integer.toString(codec.lossesBorne()),
        Integer.toString(codec.units()),
        reads(codec),
        codec.source());
  }

  /** The same for every unit, or from the cheapest to the dearest and in the mean. */
  private static String reads(CodecFacts codec) {
    double least =
        codec.readsByUnit().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double most = codec.readsByUnit().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return least == most
        ? number(least)
        : "%s to %s, mean %s".formatted(number(least), number(most), number(codec.averageReads()));
  }

  private static String number(double number) {
    return number == Math.rint(number)
        ? Integer.toString((int) number)
        : String.format(Locale.ROOT, "%.2f", number);
  }

  /** As it stands in the README, between {@code <!-- codecs -->} and {@code <!-- /codecs -->}. */
  public String markdown() {
    return Stream.concat(
            Stream.of(line(HEADING), "|---|--:|--:|--:|--:|---|"),
            rows().stream().map(CodecTable::line))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
