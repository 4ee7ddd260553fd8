// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network between one client and a server of this machine, which can be cut. While it is, nothing
 * gets through and nobody is told; what was on its way is lost.
 */
public final class Relay implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile long delayMillis;

  /** Relays connections to a port of this machine. */
  public Relay(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException e) {
        // the server is away, or the relay was closed
      }
    }
  }

  private synchronized void connect(Socket client) throws IOException {
    sockets.add(client);
    if (cut) {
      return; // it is accepted, and never answered
    }
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(server);
      start(() -> copy(client, server));
      start(() -> copy(server, client));
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        Thread.sleep(delayMillis);
        if (!cut) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException e) {
      // either side has ended the connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets nothing through any more. */
  public void cut() {
    cut = true;
  }

  /** Has each piece that comes in wait before it goes on. */
  public void delay(Duration delay) {
    delayMillis = delay.toMillis();
  }

  /** Lets new connections through at once; those of before are ended. */
  public synchronized void mend() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
    cut = false;
    delayMillis = 0;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    mend();
  }
}
