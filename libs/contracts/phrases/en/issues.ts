/** What the validation of a manuscript found. */
export const issues = {
  'issue.altered':
    'Line {at} of the manuscript differs from {source} line {line}: {reason}. Write it exactly as the source has it.',
  'issue.missing':
    '{source} {lines} ({kinds}) missing from the manuscript. Add the text where it belongs, unchanged.',
  'issue.missing_why':
    '{source} {lines} ({kinds}) missing from the manuscript ({reason}). Add the text where it belongs, unchanged.',
  'issue.out_of_order':
    '{source} {lines} ({kinds}) out of order: the text is at line {at} of the manuscript. Move it to its place.',
  'issue.line': 'line {first}',
  'issue.lines': 'lines {first} to {last}',
  'issue.duplicate.line':
    'Line {first} of the manuscript repeats source text once more than the source has it. Remove the repetition.',
  'issue.duplicate.lines':
    'Lines {first} to {last} of the manuscript repeat source text once more than the source has it. Remove the repetition.',
  'issue.added_text.line':
    'Line {first} of the manuscript states something that no source supports ({words}). Remove the text, or leave only an introduction that states nothing.',
  'issue.added_text.lines':
    'Lines {first} to {last} of the manuscript state something that no source supports ({words}). Remove the text, or leave only an introduction that states nothing.',
  'issue.unknown.line':
    'Line {first} of the manuscript states what no source contains: {words}. Remove or correct that.',
  'issue.unknown.lines':
    'Lines {first} to {last} of the manuscript state what no source contains: {words}. Remove or correct that.',
  'issue.invented.line': 'Line {first} of the manuscript appears in no source. Remove what was invented.',
  'issue.invented.lines':
    'Lines {first} to {last} of the manuscript appear in no source. Remove what was invented.',
  'issue.misplaced':
    'The heading at line {at} (level {to}; {source} line {line}, level {from}) is under another heading than in its source. Shift its level together with its neighbours.',
  'issue.more': '{number} more differences are not listed; fix these first.',
  'issue.with_detail': '{rule}: {detail}',
  'line_class.blank': 'blank',
  'line_class.prose': 'prose',
  'line_class.heading': 'heading',
  'line_class.table': 'table',
  'line_class.code': 'code',
  'line_class.markup': 'markup',
  'line_class.front_matter': 'front_matter',
  'lint_rule.MD022': 'Headings should be surrounded by blank lines',
  'lint_rule.MD023': 'Headings must start at the beginning of the line',
  'lint_rule.MD031': 'Fenced code blocks should be surrounded by blank lines',
  'lint_rule.MD056': 'Table column count',
  'lint_rule.MD058': 'Tables should be surrounded by blank lines',
  'lint_rule.SCR-fence': 'A code fence must be closed',
  'lint_rule.SCR-heading-level': 'The document begins with # and skips no heading level',
  'lint_rule.SCR-table': 'The header of a table has as many cells as its delimiter row',
  'lint_rule.SCR-image': 'Every image resolves to an asset or was skipped by a person',
  'validation.empty': 'The manuscript is empty',
  'validation.crashed': 'Validation crashed',
  'validation.timeout': 'Validation timeout',
  'validation.no_manuscript': 'The manuscript is missing: nothing was appended yet',
} as const;
