/**
 * {@code raidshell codecs} and {@code raidshell bench codec}: what codecs cost and how fast they
 * are.
 */
package io.hdfsraid.rescue.codec;
