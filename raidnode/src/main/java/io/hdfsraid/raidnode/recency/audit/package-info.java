/**
 * Reads as the NameNode's audit log tells them: exact in time, each one, with user and client.
 * Files are followed through rotation by what they begin with, wherever they are moved, copied or
 * packed.
 */
package io.hdfsraid.raidnode.recency.audit;
