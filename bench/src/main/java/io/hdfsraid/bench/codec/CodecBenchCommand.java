// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.codec.CellBuffers.Memory;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench codec}. */
@Command(
    name = "codec",
    description = {
      "Measures how fast the codecs encode and rebuild, with each kernel, on one thread. Hadoop's"
          + " own coder in Java takes turns with them.",
      "Takes about two minutes. Run it on an idle machine."
    },
    sortOptions = false)
public final class CodecBenchCommand implements Callable<Integer> {
  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      description = "Only these. Default: all of 'raidshell codecs'")
  private List<String> codecs = List.of();

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      split = ",",
      description = "Only these. Default: all but scalar, which is slow on purpose")
  private List<String> kernels = List.of();

  @Option(
      names = "--cell",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "64KiB,1MiB",
      description = "Bytes of each unit that are handled in one call. Default: 64KiB,1MiB")
  private List<String> cells;

  @Option(
      names = "--heap",
      description =
          "Our buffers on the Java heap; native kernels have to copy then. Default: direct")
  private boolean heap;

  @Mixin private BenchOptions options;

  private final KernelSwitch kernelSwitch = KernelSwitch.ofProcess();

  @Override
  public Integer call() {
    options.check();
    CodecBench.Settings settings =
        new CodecBench.Settings(
            codecs(),
            kernels(),
            parsed("--cell", cells, Cell::parse),
            heap ? Memory.HEAP : Memory.DIRECT);
    CodecBench bench = new CodecBench(settings, kernelSwitch);
    return options.run("codec", bench.method(), bench.groups(), bench::rows);
  }

  private List<ErasureCodec> codecs() {
    return codecs.isEmpty() ? Codecs.all() : parsed("--codec", codecs, Codecs::parse);
  }

  private <T> List<T> parsed(String option, List<String> names, Function<String, T> parse) {
    List<T> parsed = new ArrayList<>();
    for (String name : names) {
      try {
        T one = parse.apply(name);
        if (!parsed.contains(one)) {
          parsed.add(one);
        }
      } catch (IllegalArgumentException e) {
        throw options.wrong(option + ": " + e.getMessage());
      }
    }
    return parsed;
  }

  private List<String> kernels() {
    List<String> known = kernelSwitch.names();
    return kernels.isEmpty()
        ? known.stream().filter(name -> !name.equals(KernelSwitch.REFERENCE)).toList()
        : parsed(
            "--kernel",
            kernels,
            name -> {
              if (!known.contains(name)) {
                throw new IllegalArgumentException(
                    "There is no kernel %s. Kernels are %s"
                        .formatted(name, String.join(", ", known)));
              }
              return name;
            });
  }
}
