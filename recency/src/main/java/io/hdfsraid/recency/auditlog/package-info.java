/**
 * Reads the NameNode's audit logs, which record each open with its time, user and client address. A
 * log file is recognised by its first bytes, so that it is followed through rotation, copying and
 * compression.
 */
package io.hdfsraid.recency.auditlog;
