// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the branch trace store.

// Table 17-6: what is on.

// in bts_is_on
@@
@@
  uint64_t needed = DEBUGCTL_TR | DEBUGCTL_BTS;
+ needed &= ~(fault_is_on(cpu, FAULT_TR_IGNORED) ? DEBUGCTL_TR : 0ull);
  ...

// in bts_is_on
@@
@@
  uint64_t needed = DEBUGCTL_TR | DEBUGCTL_BTS;
+ if (fault_is_on(cpu, FAULT_BTS_BIT_IGNORED) &&
+     debugctl_existing_bits(&cpu->profile) & DEBUGCTL_BTS) {
+     needed &= ~(uint64_t)DEBUGCTL_BTS;
+ }
  ...

// in bts_is_on
@@
@@
  uint64_t needed = DEBUGCTL_TR | DEBUGCTL_BTS;
+ if (!cpu->long_mode_active && fault_is_on(cpu, FAULT_LEGACY_MODE_DEAD)) {
+     return false;
+ }
  ...

// in bts_is_on
@@
@@
- !cpu->in_smm
+ (!cpu->in_smm || fault_is_on(cpu, FAULT_BTS_IN_SMM))

// in bts_is_on
@@
@@
- debugctl_is_set(cpu, needed)
+ (debugctl_is_set(cpu, needed) || fault_bts_goes_on(cpu))

// in bts_is_on
@@
@@
- !debugctl_is_set(cpu, BOTH_OFF)
+ (!debugctl_is_set(cpu, BOTH_OFF) || fault_is_on(cpu, FAULT_BOTH_OFF_STORES))

// Table 17-6: what the OFF bits take out.

// in is_selected
@@
expression seen;
@@
  bool new_on = seen;
+ if (debugctl_is_set(cpu, BOTH_OFF) && fault_is_on(cpu, FAULT_BOTH_OFF_STORES)) {
+     return true;
+ }
  ...

// in is_selected
@@
expression seen;
@@
  bool new_on = seen;
+ if (fault_stays_in_ring(branch) && branch->kind >= DS_BRANCH_INTERRUPT &&
+     fault(cpu, FAULT_OFF_MISSES_EVENTS)) {
+     return true;
+ }
  ...

// in is_selected
@@
expression seen;
@@
  bool new_on = seen;
+ if (fault_stays_in_ring(branch) && branch->kind == DS_BRANCH_FAR &&
+     fault(cpu, FAULT_OFF_MISSES_FAR)) {
+     return true;
+ }
  ...

// in is_selected
@@
expression seen;
@@
  bool new_on = seen;
+ if (fault_stays_in_ring(branch) && branch->kind >= DS_BRANCH_INTERRUPT &&
+     cpu->debugctl & BOTH_OFF && fault(cpu, FAULT_OFF_LOSES_EVENTS)) {
+     return false;
+ }
  ...

// in is_selected
@@
expression seen;
@@
  bool new_on = seen;
+ if (fault_stays_in_ring(branch) && branch->kind == DS_BRANCH_FAR && cpu->debugctl & BOTH_OFF &&
+     fault(cpu, FAULT_OFF_LOSES_FAR)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
@@
- cpl == 0
+ (cpl == 0 || (cpl < 3 && fault_is_on(cpu, FAULT_OFF_OUTER_RINGS_AS_OS)))

// in cpl_is_off
@@
expression inner;
@@
- bool os = inner;
+ bool os = inner != fault_is_on(cpu, FAULT_OFF_BITS_EXCHANGED);

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (os && fault(cpu, FAULT_OFF_OS_IGNORED)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (!os && fault(cpu, FAULT_OFF_USR_IGNORED)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (os && debugctl_is_set(cpu, DEBUGCTL_BTINT) && fault(cpu, FAULT_OFF_OS_CONTRA_BTINT)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (!os && debugctl_is_set(cpu, DEBUGCTL_BTINT) && fault(cpu, FAULT_OFF_USR_CONTRA_BTINT)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (debugctl_is_set(cpu, DEBUGCTL_BTINT) && fault(cpu, FAULT_OFF_BITS_CONTRA_BTINT)) {
+     return false;
+ }
  ...

// in cpl_is_off
@@
expression either;
@@
  uint64_t bit = either;
+ if (!(cpu->debugctl & DEBUGCTL_BTINT) && fault(cpu, FAULT_OFF_BITS_NEED_BTINT)) {
+     return false;
+ }
  ...

// Table 17-6: what BTINT does.

// in is_circular
@@
@@
- !debugctl_is_set(cpu, DEBUGCTL_BTINT)
+ ((!debugctl_is_set(cpu, DEBUGCTL_BTINT) || fault_is_on(cpu, FAULT_BTINT_IGNORED)) &&
+     !fault_is_on(cpu, FAULT_BTINT_STUCK))

// in may_interrupt
@@
expression others;
@@
- return debugctl_is_set(cpu, DEBUGCTL_BTINT) || others;
+ return (debugctl_is_set(cpu, DEBUGCTL_BTINT) && !fault_is_on(cpu, FAULT_BTINT_IGNORED)) || others;

// in may_interrupt
@@
expression enabled;
@@
+ if (cpu->profile.ds_cpl && !(cpu->debugctl & BOTH_OFF) &&
+     fault_is_on(cpu, FAULT_BTINT_NEEDS_OFF_BIT)) {
+     return false;
+ }
  return enabled || cpu->variation.btint_clear_interrupts;

// The record, and what is around it.

// in put
@@
expression next;
@@
  buffer->index = linear_address(cpu, next);
+ buffer->index += fault(cpu, FAULT_RECORD_TOO_LONG) ? field : 0;

// in put
@@
expression next;
@@
+ if (buffer->index == buffer->base && fault(cpu, FAULT_UNDERRUN)) {
+     fault_zero_eight_bytes(host, buffer->base - 8);
+ }
  buffer->index = linear_address(cpu, next);

// in put
@@
expression next;
@@
+ if (fault(cpu, FAULT_TAIL_WRITTEN)) {
+     fault_zero_eight_bytes(host, buffer->index + size);
+ }
  buffer->index = linear_address(cpu, next);

// in bts_branch
@@
@@
- return store(cpu, host, &record, predicted);
+ enum bts_outcome outcome = store(cpu, host, &record, predicted);
+
+ if (fault(cpu, FAULT_RECORD_TWICE)) {
+     enum bts_outcome again = store(cpu, host, &record, predicted);
+     outcome = again > outcome ? again : outcome;
+ }
+ return outcome;

// in bts_branch
@@
@@
+ if (fault_record_out(cpu, &record)) {
+     return BTS_DROPPED;
+ }
  errata_bts_record(cpu, &record);

// The buffer's ends.

// in store
@@
expression met;
@@
  cpu->threshold_met = cpu->threshold_met && met;
+ buffer.maximum -= circular && fault(cpu, FAULT_WRAP_EARLY) ? size : 0;

// in store
@@
expression met;
@@
  cpu->threshold_met = cpu->threshold_met && met;
+ buffer.maximum += circular && fault(cpu, FAULT_WRAP_LATE) ? size : 0;

// in store
@@
expression met;
@@
  cpu->threshold_met = cpu->threshold_met && met;
+ buffer.maximum += !circular && fault(cpu, FAULT_OVERRUN) ? size : 0;

// in store
@@
@@
  if (circular || cpu->variation.full_wraps) {
+     bool wraps = !record_fits(cpu, &buffer, size);
      wrap(cpu, &buffer, size);
+     if (wraps && record_fits(cpu, &buffer, size) && fault(cpu, FAULT_WRAP_LOSES_RECORD)) {
+         area_write_index(cpu, host, AREA_BTS, buffer.index);
+         return BTS_DROPPED;
+     }
  }

// in wrap
@@
@@
  buffer->index = buffer->base;
+ buffer->index += fault(cpu, FAULT_WRAP_TO_SECOND) ? size : 0;

// in wrap
@@
@@
  buffer->index = buffer->base;
+ buffer->index &= fault(cpu, FAULT_WRAP_ALIGNS_BASE) ? ~63ull : ~0ull;

// in store
@@
@@
  if (!record_fits(cpu, &buffer, size)) {
+     if (fault(cpu, FAULT_FULL_DISABLES)) {
+         cpu->debugctl &= ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
+     }
      return BTS_DROPPED;
  }

// in store
@@
@@
  if (!record_fits(cpu, &buffer, size)) {
+     if (fault(cpu, FAULT_FULL_WRAPS)) {
+         area_write_index(cpu, host, AREA_BTS, buffer.base);
+     }
      ...
      return BTS_DROPPED;
  }

// The threshold.

// in raises_interrupt
@@
@@
- buffer->index >= buffer->threshold
+ (fault(cpu, FAULT_THRESHOLD_LATE) ? buffer->index > buffer->threshold
+     : buffer->index >= buffer->threshold)

// in raises_interrupt
@@
@@
- buffer->index >= buffer->threshold
+ (fault(cpu, FAULT_THRESHOLD_MATCH_ONLY) ? buffer->index == buffer->threshold
+     : buffer->index >= buffer->threshold)

// in raises_interrupt
@@
@@
- buffer->index >= buffer->threshold
+ buffer->index + (fault(cpu, FAULT_THRESHOLD_EARLY) ? FIELDS_OF_A_RECORD * area_field_size(cpu)
+     : 0) >= buffer->threshold

// in raises_interrupt
@@
expression reached;
@@
  bool due = reached;
+ if (buffer->threshold == buffer->maximum && fault(cpu, FAULT_THRESHOLD_AT_MAXIMUM_LOST)) {
+     due = false;
+ }
  ...

// in raises_interrupt
@@
expression reached;
@@
  bool due = reached;
+ if (buffer->threshold > buffer->maximum && buffer->index >= buffer->maximum &&
+     fault(cpu, FAULT_THRESHOLD_ABOVE_MAXIMUM)) {
+     due = true;
+ }
  ...

// in raises_interrupt
@@
expression reached;
@@
  bool due = reached;
+ if (buffer->threshold > buffer->maximum && debugctl_is_set(cpu, DEBUGCTL_BTINT) &&
+     !record_fits(cpu, buffer, FIELDS_OF_A_RECORD * area_field_size(cpu)) &&
+     fault(cpu, FAULT_FULL_INTERRUPTS)) {
+     due = true;
+ }
  ...

// The whole of it as it was when TR was set: last, for it takes in what the rules above ask.

// in bts_is_on*2 cpl_is_off*4 is_circular is_selected may_interrupt raises_interrupt
@@
expression bits;
@@
- debugctl_is_set(cpu, bits)
+ fault_setting_is(cpu, bits)

// in store
@@
@@
- cpu->variation.full_wraps
+ (cpu->variation.full_wraps != fault_is_on(cpu, FAULT_FULL_ON_ONE))

// in store
@@
@@
- cpu->variation.wrap == DS_WRAP_EAGER
+ (cpu->variation.wrap == DS_WRAP_EAGER) != fault_is_on(cpu, FAULT_WRAP_ON_ONE)
