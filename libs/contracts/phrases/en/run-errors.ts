/** Reasons why a run or a task failed; the part after the first dot is the code of the error. */
export const runErrors = {
  'run_error.at_chapter': 'Chapter {number}: {error}',
  'run_error.at_task': '{task}: {error}',
  'run_error.at_task_of_tool': '{task} ({tool}): {error}',
  'run_error.with_saved_text': '{error} The text so far is saved.',
  'run_error.with_unchanged_text': '{error} The text is unchanged.',
  'run_error.with_saved_files': '{where}: {error} Results and files so far are saved.',
  'run_error.budget_exceeded': 'The budget does not allow the call of the model.',
  'run_error.budget_exceeded.call': 'The call might exceed a budget.',
  'run_error.budget_exceeded.cost':
    'The run was stopped: {spent} of its budget of {limit} (cost) are used. The manuscript so far is saved.',
  'run_error.budget_exceeded.saved':
    'The run was stopped because its budget was used up. The text so far is saved.',
  'run_error.budget_exceeded.tokens':
    'The run was stopped: {spent} of its budget of {limit} (tokens) are used. The manuscript so far is saved.',
  'run_error.budget_exceeded.unchanged':
    'The run was stopped because its budget was used up. The text is unchanged.',
  'run_error.cancelled': 'The run was cancelled.',
  'run_error.changed_meanwhile':
    'The manuscript has changed since the selection was made. Select the text again.',
  'run_error.child_failed': 'Run {run} ended with status {status}.',
  'run_error.graph_node_missing':
    'The run would resume at the node "{node}", which version {version} of its graph no longer has. Start a new run.',
  'run_error.graph_version_missing':
    'The run was started with version {started} of the {kind} graph, but the runners only have version {version}.',
  'run_error.rolled_back': 'The run was cancelled, and its changes to the session were rolled back.',
  'run_error.run_blocked':
    'A step of the run blocked its process {times} times: it computed for too long without a pause. Simplify its patterns, expressions or texts, then start a new run.',
  'run_error.run_failed': 'The run ended without a result.',
  'run_error.step_failed':
    'A step of the run failed {times} times in a row. Fix the cause (see the log), then start a new run.',
  'run_error.task_failed': 'The task {task} failed after {attempts} attempts.',
  'run_error.task_poisoned': 'The task {task} crashed its worker process {times} times in a row.',
  'run_error.unknown_kind': 'No graph supports runs of kind {kind}.',
  'run_error.unknown_task': 'No worker of the queue {queue} handles the task {task}.',

  'database_cause.too_large':
    'The database refused a value or statement that exceeds its size limits. Start a new run with less: fewer tasks or files at once, or shorter texts.',
  'database_cause.disk_full': 'The database has no disk space left.',
  'database_cause.out_of_memory': 'The database ran out of memory.',
  'database_cause.too_many_connections': 'The database accepts no more connections.',
  'database_cause.invalid_value': 'The database refused a value that it cannot store.',
  'database_cause.conflict': 'The database refused a row that contradicts another one.',

  'run_error.conversion_memory_limit':
    'Converting the document needs too much memory. Split it into smaller documents.',
  'run_error.conversion_time_limit':
    'Converting the document took too long. Split it into smaller documents.',
  'run_error.conversion_too_deep':
    'The document is nested too deeply to convert. Flatten its lists or quotes.',
  'run_error.extraction_failed': '{reason}. Replace or remove the file and start a new run.',
  'run_error.issue_at_line': 'line {line}: {message}',
  'run_error.largest_source': 'The source with the most text is {name} ({bytes} bytes).',
  'run_error.no_inputs': 'The session has no input files. Upload at least one and start a new run.',
  'run_error.no_manuscript': 'The agent has written nothing, so there is no manuscript to accept.',
  'run_error.quality_check_failed': 'The Word file differs from the manuscript or its sources: {issues}',
  'run_error.source_too_hard.references':
    'Finding the references in {name} took too long. Split or omit it, and start a new run.',
  'run_error.source_too_hard.source':
    'The source {name} took too long to be written. Split or omit it, and start a new run.',
  'run_error.step_limit':
    'The agent did not finish within {max} model calls. The manuscript so far is saved.',
  'run_error.trace_too_hard':
    'The document is too large to compare with its sources. Split it into smaller documents.',
  'run_error.validation_failed':
    'Validation still failed after three attempts, and the run was aborted. The manuscript is saved.',

  'run_error.book_gone': 'The book was deleted during the run.',
  'run_error.chapter_accepted': 'Chapter {number} was accepted during the run and is unchanged.',
  'run_error.chapter_accepted.set_state':
    'Chapter {number} is accepted. Set its state to "written" to have it rewritten.',
  'run_error.chapter_empty':
    'No passage of the sources is left for the chapter, so it has no text. Add sources, assign passages to it in the outline, or write it by hand.',
  'run_error.chapter_gone': 'The chapter was deleted during the run.',
  'run_error.chapter_required': 'Set inputs.chapter_number or inputs.chapter_id to the chapter to write.',
  'run_error.chapter_unknown': 'The outline has {chapters} chapters, but not the requested one.',
  'run_error.chapters_empty':
    'These chapters have no text, because no passage of the sources is left for them: {titles}. The others are written. Add sources, change the outline, or write them by hand.',
  'run_error.feedback_not_applied': 'The feedback could not be applied: {reasons}',
  'run_error.feedback_not_applied.quote':
    'The model proposed no change that the feedback allows. Quote the words that should change: accepted paragraphs change only if the feedback quotes them.',
  'run_error.feedback_required':
    'Set either inputs.operations or inputs.feedback to the changes that the outline needs.',
  'run_error.feedback_unclear': 'The outline is unchanged. {why} Name the chapters and what to change.',
  'run_error.feedback_unclear.no_change': 'Nothing says what to change.',
  'run_error.message_required': 'Set inputs.messages to the messages of the author, newest last.',
  'run_error.model_text_kept.failed':
    'The model could not answer, and the offline writer does not replace text that a model wrote. The chapter is unchanged; start the run again when a model is available.',
  'run_error.model_text_kept.no_model':
    'No model is configured, and the offline writer does not replace text that a model wrote. The chapter is unchanged; start the run again when a model is available.',
  'run_error.no_book': 'The session does not belong to a book. Start the run with the project_id of a book.',
  'run_error.no_chapters': 'No chapter of the book has text yet.',
  'run_error.no_outline': 'The book has no outline yet. Create one with a run of mode toc.',
  'run_error.text_kept.failed':
    'The answers of the model were unusable, and the offline writer revises no text. The chapter is unchanged; edit it by hand, or start the run again when a model is available.',
  'run_error.text_kept.no_model':
    'No model is configured, and the offline writer revises no text. The chapter is unchanged; edit it by hand, or start the run again when a model is available.',
  'run_error.text_too_hard.article':
    'Parsing the text took too long. Shorten it or remove sources, and start a new run.',
  'run_error.text_too_hard.change':
    'Checking the change took too long. Select a shorter part of the text and start again.',
  'run_error.text_too_hard.chapter':
    'Parsing the text took too long. Split the chapter or its sources, and start a new run.',

  'run_error.collection_unknown': 'A collection in the inputs does not exist.',
  'run_error.duplicate_topic': 'An article on this topic already exists: "{topic}".',
  'run_error.fetch_off':
    'Reading pages by their address is disabled on this installation. Upload them as files, or ask the operator to set FETCH_URL.',
  'run_error.no_approved_article':
    'The session has no approved article. Approve one first, or send it in inputs.user_text.',
  'run_error.no_corpus': 'The tenant has no style corpus. {advice}',
  'run_error.no_named_source':
    'Research in named sources only needs inputs.sources: name a page or a file, or set inputs.research to "collections" or "web".',
  'run_error.no_research_provider':
    'Web search is not configured on this installation. Use collections for the research, or ask the operator.',
  'run_error.no_sources':
    'Nothing was found on the topic. Add sources to a collection, or rephrase the topic.',
  'run_error.not_approved.corrections': 'Nobody approved the corrections. They are saved.',
  'run_error.not_approved.draft': 'Nobody approved the draft. It is saved.',
  'run_error.nothing_to_tell': 'The text has no sentence that can be used on a platform.',
  'run_error.rejected.corrections': 'The corrections were rejected {times} times. The last ones are saved.',
  'run_error.rejected.draft': 'The draft was rejected {times} times. The last one is saved.',
  'run_error.research_quota': 'The article needs more web searches than a run may perform.',
  'run_error.research_refused': 'The research provider refused the request (status {status}).',
  'run_error.research_stopped': 'A person stopped the article after the research.',
  'run_error.research_unavailable': 'The research provider is not responding. Try again later.',
  'run_error.research_unavailable.invalid': 'The response of the research provider is not valid.',
  'run_error.research_unavailable.too_large': 'The response of the research provider is too large.',
  'run_error.source_unknown':
    'No file with this name was uploaded: {names}. Upload it to the session first, or write the address of a page with https://.',
  'run_error.source_unreadable':
    'Remove from inputs.sources what cannot be read, or upload it in another form. {problems}',
  'run_error.topic_required': 'Set inputs.topic to the topic of the article.',
  'run_error.user_text_required': 'Send the text in inputs.user_text.',

  'run_error.no_model.change':
    'No model is configured, and rules cannot change a text as asked. Edit the text, or configure a model.',
  'run_error.no_model.call': 'This installation has no language model. Configure one, or plan without it.',
  'run_error.proposal_unusable':
    'The model gave two answers that cannot replace the selection. Word the instruction differently, or select another part.',

  'run_error.hil_timeout': 'Nobody approved the plan in time.',
  'run_error.no_tools': 'No tool matches the intent.',
  'run_error.outcome_unknown': '{error} It is unknown whether the call took effect.',
  'run_error.outcome_unknown.interrupted':
    'The call was interrupted. It is unknown whether the call took effect.',
  'run_error.outcome_unknown.unanswered':
    '{task} ({tool}): nobody answered in time whether its call took effect.',
  'run_error.plan_aborted.agent': 'The agent ended the plan.',
  'run_error.plan_aborted.at_task': 'The plan was ended at {task} ({tool}).',
  'run_error.plan_aborted.command': 'A command ended the plan.',
  'run_error.plan_failed.changed': 'The plan could not be changed',
  'run_error.plan_failed.made': 'The plan could not be made',
  'run_error.plan_failed.no_result': 'The plan ended without a result.',
  'run_error.plan_rejected': 'The plan was rejected.',
  'run_error.plan_rejected.reason': 'The plan was rejected: {reason}',
  'run_error.replan_failed': 'Replanning failed.',
  'run_error.replan_limit': 'A plan can be replanned at most {max} times.',
  'run_error.replan_no_tools': 'No tool matches the new requirement.',
  'run_error.tool_failed.interrupted': 'The call was interrupted.',
  'run_error.unknown_tool': 'Tool "{tool}" does not exist.',
  'run_error.unknown_tool.approved': 'No approved tool is named "{tool}".',
  'run_error.when_not_boolean': 'The condition ("when") must refer to true or false.',

  semicolons: '{first}; {rest}',
} as const;
