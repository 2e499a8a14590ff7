/** Events that the pages follow; the stream names each one. */
export const RUN_EVENTS = [
  'run_status',
  'token',
  'node_complete',
  'hitl_pause',
  'decision_required',
  'decision_answered',
  'state_updated',
  'validation_ran',
  'checkpoint_saved',
  'rollback_performed',
  'rollback_skipped',
  'done',
] as const;
