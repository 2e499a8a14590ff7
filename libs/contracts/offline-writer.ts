/** Name of the rules that write without a model; shown in place of a model's name. */
export const OFFLINE_WRITER = 'offline scribe (rules, no model)';
