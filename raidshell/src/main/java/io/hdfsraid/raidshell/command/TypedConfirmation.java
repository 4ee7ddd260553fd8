// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** Has a person type a sentence before data is given up. */
public final class TypedConfirmation {
  private final BufferedReader in;
  private final PrintWriter out;

  /**
   * @param out where the question goes; not the standard output, which may be a file
   */
  public TypedConfirmation(BufferedReader in, PrintWriter out) {
    this.in = in;
    this.out = out;
  }

  /** Creates a confirmation that reads from the standard input. */
  public static TypedConfirmation fromStandardInput(PrintWriter out) {
    return new TypedConfirmation(
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())), out);
  }

  /** Asks once. Returns whether exactly this sentence was typed; the end of the input is a no. */
  public boolean isTyped(String sentence) throws IOException {
    out.printf("To go on, type: %s%n> ", sentence);
    out.flush();
    String line = in.readLine();
    return line != null && line.strip().equals(sentence);
  }
}
