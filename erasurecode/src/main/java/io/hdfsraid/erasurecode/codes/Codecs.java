// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The codecs of this library, by name. */
public final class Codecs {
  // At most three digits: no code has more than 256 units. No leading zeros: one codec, one name.
  private static final String NUMBER = "([1-9][0-9]{0,2})";

  private static final List<Family> FAMILIES =
      List.of(
          new Family("rs-K-M", numbers -> ReedSolomon.code(numbers[0], numbers[1])),
          new Family(
              "rs-vandermonde-K-M", numbers -> ReedSolomon.vandermonde(numbers[0], numbers[1])),
          new Family("xor-K-1", numbers -> ReedSolomon.xor(numbers[0])),
          new Family(
              "crs-original-K-M", numbers -> CauchyBitMatrix.original(numbers[0], numbers[1])),
          new Family("crs-good-K-M", numbers -> CauchyBitMatrix.good(numbers[0], numbers[1])),
          new Family("lrc-xorbas-10-6", numbers -> XorbasLrc.code()),
          new Family(
              "lrc-azure-K-L-G", numbers -> AzureLrc.code(numbers[0], numbers[1], numbers[2])),
          new Family("less-K-M", numbers -> Less.code(numbers[0], numbers[1])),
          new Family("less-K-M-A", numbers -> Less.code(numbers[0], numbers[1], numbers[2])),
          new Family("hitchhiker-K-M", numbers -> Hitchhiker.code(numbers[0], numbers[1])));

  private static final Map<String, ErasureCodec> PARSED = new ConcurrentHashMap<>();

  private Codecs() {}

  /**
   * The codec of the given name, e.g. {@code rs-10-4}, {@code xor-5-1}, {@code crs-good-10-4},
   * {@code lrc-azure-12-2-2}. Parsing the same name twice gives the same instance, with its cached
   * recipes.
   *
   * @throws IllegalArgumentException with a message that names the known families, when there is no
   *     such codec
   */
  public static ErasureCodec parse(String name) {
    Objects.requireNonNull(name, "A codec needs a name, but got null");
    // Not computeIfAbsent with every name: only codecs that exist are kept.
    ErasureCodec known = PARSED.get(name);
    return known != null ? known : PARSED.computeIfAbsent(name, Codecs::create);
  }

  private static ErasureCodec create(String name) {
    return FAMILIES.stream()
        .map(family -> family.create(name))
        .flatMap(Optional::stream)
        .findFirst()
        .map(LinearCodec::new)
        .orElseThrow(
            () ->
                noSuchCodec(
                    name,
                    "no family has such a name, and numbers are 1 to 255 without leading zeros",
                    null));
  }

  private static IllegalArgumentException noSuchCodec(
      String name, String problem, IllegalArgumentException cause) {
    return new IllegalArgumentException(
        "There is no codec %s: %s. Codecs are named %s"
            .formatted(
                name,
                problem,
                FAMILIES.stream().map(Family::form).collect(Collectors.joining(", "))),
        cause);
  }

  /**
   * One codec of every family and usual shape: what the tables of docs/codecs.md and {@code
   * raidshell codecs} show.
   */
  public static List<ErasureCodec> all() {
    return List.of(
            "xor-10-1",
            "rs-3-2",
            "rs-6-3",
            "rs-10-4",
            "rs-vandermonde-10-4",
            "crs-original-10-4",
            "crs-good-6-3",
            "crs-good-10-4",
            "lrc-xorbas-10-6",
            "lrc-azure-6-2-2",
            "lrc-azure-12-2-2",
            "lrc-azure-12-4-2",
            "less-6-3",
            "less-10-4",
            "less-12-4",
            "hitchhiker-10-4")
        .stream()
        .map(Codecs::parse)
        .toList();
  }

  /**
   * @param form how its codecs are named: capital letters stand for numbers
   * @param code from these numbers
   */
  private record Family(String form, Function<int[], LinearCode> code) {

    /** Empty when the name is not one of this family. */
    Optional<LinearCode> create(String name) {
      Matcher matcher = Pattern.compile(form.replaceAll("[A-Z]", NUMBER)).matcher(name);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      int[] numbers = new int[matcher.groupCount()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Integer.parseInt(matcher.group(i + 1));
      }
      try {
        return Optional.of(code.apply(numbers));
      } catch (IllegalArgumentException e) {
        throw noSuchCodec(name, e.getMessage(), e);
      }
    }
  }
}
