// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.codecs;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.raidapi.codecs.CodecsReport;
import io.hdfsraid.raidapi.codecs.CodecsReport.Codec;
import io.hdfsraid.raidapi.codecs.CodecsReport.KernelInUse;
import io.hdfsraid.raidapi.codecs.CodecsReport.Matrices;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.policies.PoliciesReport.PolicyView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Describes the codecs of this version, and which of them the policies use. */
public class CodecsService {
  private final Supplier<PoliciesReport> policies;

  /** Finding the cheapest repair of every unit takes a while, and no codec changes. */
  private final Map<String, CodecFacts> facts = new ConcurrentHashMap<>();

  public CodecsService(Supplier<PoliciesReport> policies) {
    this.policies = policies;
  }

  /** Returns the usual codecs, those of the policies, and the kernels in use. */
  public CodecsReport codecs() {
    List<PolicyView> all = policies.get().policies();
    Stream<String> used = all.stream().map(PolicyView::codec).filter(name -> !name.isEmpty());
    List<Codec> codecs =
        Stream.concat(Codecs.all().stream().map(ErasureCodec::name), used)
            .distinct()
            .map(name -> codec(facts(name), all))
            .toList();
    List<KernelInUse> kernels =
        CodingKernels.report().inUse().entrySet().stream()
            .map(
                kind ->
                    new KernelInUse(
                        Matrices.valueOf(kind.getKey().name()),
                        kind.getValue().kernel(),
                        kind.getValue().reason()))
            .toList();
    return new CodecsReport(codecs, kernels);
  }

  private CodecFacts facts(String name) {
    return facts.computeIfAbsent(name, unknown -> CodecFacts.of(Codecs.parse(unknown)));
  }

  private static Codec codec(CodecFacts facts, List<PolicyView> policies) {
    return new Codec(
        facts.name(),
        facts.shape().dataUnits(),
        facts.shape().parityUnits(),
        facts.overhead(),
        facts.lossesBorne(),
        facts.averageReads(),
        facts.units(),
        facts.racks(),
        facts.source(),
        policies.stream()
            .filter(policy -> policy.codec().equals(facts.name()))
            .map(PolicyView::name)
            .toList());
  }
}
