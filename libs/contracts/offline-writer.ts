/** Names the rules that write a document without a model, where a model's name would stand. */
export const OFFLINE_WRITER = 'offline scribe (rules, no model)';
