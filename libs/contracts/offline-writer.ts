/** Name of the rules that write without a model; shown in place of a model's name. */
export const OFFLINE_WRITER = 'offline scribe (rules, no model)';

/** Names the rules that work without a model in runs of other kinds. */
export const OFFLINE_WRITER_LABEL = 'offline writer (rules, no model)';
