// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidnode.access.TicketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs no KDC; the journey with Kerberos does the rest. */
class ServiceTicketsTest {
  @TempDir Path folder;

  @Test
  void whatIsNoTicketIsRefusedWithTheReason() {
    ServiceTickets tickets = new ServiceTickets("HTTP/localhost@EXAMPLE.COM", folder.resolve("k"));
    assertThatThrownBy(() -> tickets.read("NTLMSSP\0\1".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(TicketException.class)
        .hasMessage(
            "A Kerberos ticket for HTTP/localhost@EXAMPLE.COM is not accepted: the client has sent"
                + " NTLM: it has no ticket, or does not trust this address");
    assertThatThrownBy(() -> tickets.read(new byte[] {1, 2, 3}))
        .isInstanceOf(TicketException.class)
        .hasMessageContaining("cannot be read as one");
    assertThatThrownBy(() -> tickets.read(new byte[0])).isInstanceOf(TicketException.class);
  }
}
