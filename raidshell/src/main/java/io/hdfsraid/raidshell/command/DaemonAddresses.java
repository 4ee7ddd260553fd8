// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The addresses of one or more daemons, of which one is active: {@code URL[,URL]}. */
record DaemonAddresses(List<URI> all) {
  /** Reads what follows {@code --url}. */
  static final class Parser implements ITypeConverter<DaemonAddresses> {
    @Override
    public DaemonAddresses convert(String urls) {
      try {
        List<URI> all = Arrays.stream(urls.split(",", -1)).map(URI::create).toList();
        all.forEach(RaidNodeClient::at); // which says what is wrong, before any of them is asked
        return new DaemonAddresses(all);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' is no address: %s".formatted(urls, e.getMessage()));
      }
    }
  }
}
