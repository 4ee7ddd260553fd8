package io.hdfsraid.erasurecode;

import java.util.List;

/** The codecs of this library, by name. */
public final class Codecs {
  private Codecs() {}

  /**
   * The codec of the given name, e.g. {@code rs-10-4}, {@code xor-5-1}, {@code lrc-xorbas-10-6},
   * {@code lrc-azure-12-2-2}. Parsing the same name twice gives the same instance, with its cached
   * recipes.
   *
   * @throws IllegalArgumentException with a message that names the known families, when there is no
   *     such codec
   */
  public static ErasureCodec parse(String name) {
    return all().stream()
        .filter(codec -> codec.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no codec named " + name));
  }

  /**
   * One codec of every family and usual shape: what the tables of README and {@code raidshell
   * codecs} show.
   */
  public static List<ErasureCodec> all() {
    return List.of();
  }
}
