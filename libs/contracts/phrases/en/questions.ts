/** Questions to people, and the facts that are shown with them. */
export const questions = {
  'question.article_draft':
    'The draft of "{topic}" is ready. Accept it, reject it with feedback, decide on individual paragraphs, or submit an edited text.',
  'question.article_duplicate':
    'An article on a very similar topic exists: "{topic}" ({date}). Write this one anyway?',
  'question.article_research':
    'The research on "{topic}" is complete. Approve the report and the headings, change them, or have more questions searched.',
  'question.article_shadow': {
    one: 'The text has {count} annotation. Approve the corrected text or individual changes, or reject it with a reason.',
    other:
      'The text has {count} annotations. Approve the corrected text or individual changes, or reject it with a reason.',
  },
  'question.budget.run_cost':
    'The cost budget of this run does not allow the next step: {spent} of {limit} is used, {reserved} more are reserved, and the next model call may need {needed}. Increase it, or stop the run? The text so far is saved.',
  'question.budget.run_tokens':
    'The token budget of this run does not allow the next step: {spent} of {limit} tokens are used, {reserved} more are reserved, and the next model call may need {needed}. Increase it, or stop the run? The text so far is saved.',
  'question.budget.tenant_cost':
    "The tenant's cost budget for this month does not allow the next step: {spent} of {limit} is used, {reserved} more are reserved, and the next model call may need {needed}. Try again when the operator has raised it or other runs have ended, or stop the run? The text so far is saved.",
  'question.budget.tenant_tokens':
    "The tenant's token budget for this month does not allow the next step: {spent} of {limit} tokens are used, {reserved} more are reserved, and the next model call may need {needed}. Try again when the operator has raised it or other runs have ended, or stop the run? The text so far is saved.",
  'question.encodings': {
    one: '{count} file is not UTF-8. Which encoding does it have? The first option is the most likely one.',
    other:
      '{count} files are not UTF-8. Which encoding do they have? The first option is the most likely one.',
  },
  'question.fix_exhausted': {
    one: 'The chapter still has {count} validation issue after {attempts} attempts. Accept it as it is, let the agent try again, or abort the run?',
    other:
      'The chapter still has {count} validation issues after {attempts} attempts. Accept them as they are, let the agent try again, or abort the run?',
  },
  'question.missing_references': '{question} Upload the file or skip it?',
  'question.model_failed': 'The model "{model}" failed: {failure} {offer} The work so far is saved.',
  'question.model_failed.by_rules': 'let rules do the work without a model',
  'question.model_failed.replan_by_rules': 'let rules replan without a model',
  'question.model_failed.retry': 'Try again, or end the run?',
  'question.model_failed.other_model': 'Try again, use the model "{other}" from now on, or end the run?',
  'question.model_failed.rules': 'Try again, {rules}, or end the run?',
  'question.model_failed.other_model_or_rules':
    'Try again, use the model "{other}" from now on, {rules}, or end the run?',
  'question.plan_agent': '{state} Continue, replan, or abort?',
  'question.plan_agent.after_layer': 'Layer {layer} of the plan is complete.',
  'question.plan_agent.first': 'No layer of the plan has run yet.',
  'question.plan_agent.requested': '{state} A command requested a decision.',
  'question.plan_agent.undecided': '{state} The model gave no valid decision.',
  'question.plan_outcome':
    'The call of the tool "{tool}" for the task "{task}" got no response: {error} Check whether it took effect, then choose: repeat it, mark the task as done without a result, mark it as failed, or end the plan.',
  'question.references.ambiguous': {
    one: 'The sources refer to {count} file by a name that several inputs have: {names}. Choose the right input for it.',
    other:
      'The sources refer to {count} files by a name that several inputs have: {names}. Choose the right input for each.',
  },
  'question.references.missing': {
    one: 'The sources refer to {count} file that is not among the inputs: {names}.',
    other: 'The sources refer to {count} files that are not among the inputs: {names}.',
  },
  'question.unreadable_files': {
    one: '{count} file cannot be read. Leave it out, or end the run to replace it?',
    other: '{count} files cannot be read. Leave them out, or end the run to replace them?',
  },
  'fact.by_rules': 'Written by rules, without a model: {stages}',
  'fact.encoding.guess': '{name} looks like {encoding}: {preview}',
  'fact.encoding.likely': '{name} looks like {encoding} ({percent} % sure): {preview}',
  'fact.encoding.other': '  or {encoding}: {preview}',
  'fact.failed_step': 'Failed step: {operation}',
  'fact.issue': '{rule} {message}',
  'fact.issue_with_detail': '{rule} {message}: {detail}',
  'fact.issue_at_line': 'line {line}: {rule} {message}',
  'fact.not_carried':
    '{name}: not carried: {missingLines} of {lines} line(s), {missingBytes} of {bytes} bytes',
  'fact.partly_carried':
    '{name}: partly carried: {missingLines} of {lines} line(s), {missingBytes} of {bytes} bytes',
  'list.more': '{names} and {count} more',
  sentences: '{first} {rest}',
} as const;
