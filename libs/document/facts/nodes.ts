/** Nodes of the document graph, in the order of a document's life. */
export const documentNodes = [
  'scan_assets',
  'encoding_decision',
  'unreadable_decision',
  'human_input',
  'agent',
  'budget_decision',
  'model_decision',
  'tools',
  'validate_md',
  'fix_decision',
  'checkpoint',
  'parse_to_json',
  'convert',
  'quality_check',
  'error_handler',
] as const;
export type DocumentNode = (typeof documentNodes)[number];
