/** Names the rules that write a document without a model, where a model's name would stand. */
export const OFFLINE_WRITER = 'offline scribe (rules, no model)';

/** Names the rules that work without a model in runs of other kinds. */
export const OFFLINE_WRITER_LABEL = 'offline writer (rules, no model)';
