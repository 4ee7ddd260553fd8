/**
 * {@code raidshell doctor}: is this cluster one that files can be raided on? {@link
 * io.hdfsraid.offline.doctor.Survey} asks, and changes nothing; {@link
 * io.hdfsraid.offline.doctor.Doctor} judges what was answered, and asks nothing.
 */
package io.hdfsraid.offline.doctor;
