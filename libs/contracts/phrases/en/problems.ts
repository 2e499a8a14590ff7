/** Advice of problems (`detail`) by phrase; the part before the dot is the code of the problem. */
export const problems = {
  'body_too_large.smaller': 'Send a smaller body; send files as multipart uploads.',
  'changed_meanwhile.chapter': 'The text of the chapter has changed in the meantime. Select the text again.',
  'changed_meanwhile.merge': 'Read it again, merge your change, and send it again.',
  'changed_meanwhile.newer_version': 'A newer version exists. Compare with it and decide again.',
  'changed_meanwhile.text': 'The text has changed since the selection was made. Select it again.',
  'chapter_empty.no_text': 'The chapter has no text that could be changed.',
  'chapter_empty.set_state': 'The chapter needs text before its state can be set.',
  'checkpoint_unusable.file_gone': 'A file of this checkpoint no longer exists. Choose another checkpoint.',
  'checkpoint_unusable.fork_too_new': 'The newest run of the fork has no checkpoint yet. Wait a moment.',
  'checkpoint_unusable.keys_missing':
    'The checkpoint was written by an older version of the graph and lacks {keys}. Choose another checkpoint.',
  'checkpoint_unusable.kind': 'This release does not support runs of kind {kind}.',
  'checkpoint_unusable.node_gone':
    'The checkpoint was written by an older version of the graph, and its node "{node}" no longer exists. Choose another checkpoint.',
  'checkpoint_unusable.rolled_back': 'The run was rolled back, so its checkpoints cannot be resumed.',
  'checkpoint_unusable.text_only':
    'Only the text of this named checkpoint is stored. Restore it with POST …/checkpoints/ID/restore.',
  'corpus_empty.add_texts':
    'Add texts with POST /api/corpus/ingest and wait until they are indexed, or change the author, type or language filter.',
  'cost_quota_exceeded.spent':
    'The tenant has spent {spent} of {limit}. Wait until next month, or ask the operator to raise the limit.',
  'cross_site_request.browser':
    'A signed-in browser can only make changes from pages of this service. Programs must send an API key.',
  'cross_site_request.other_site': 'The request comes from a page of another site.',
  'decision_answered.different': 'The first answer wins, and it was different. GET the decision to see it.',
  'decision_answered.early': 'The first answer wins. GET the answers to see it.',
  'decision_answered.accepted': 'The change was accepted before.',
  'decision_answered.failed': 'The change has failed.',
  'decision_answered.proposed': 'The change is still open.',
  'decision_answered.proposing': 'The change is still being prepared.',
  'decision_answered.rejected': 'The change was rejected before.',
  'decision_stale.no_approval': 'The plan is not waiting for approval at this checkpoint.',
  'decision_stale.no_command': 'The plan is not waiting for a command to continue.',
  'decision_stale.not_waiting': 'The run no longer waits for this decision.',
  'diff_too_large.bytes': 'Manuscripts over {max} bytes cannot be compared.',
  'diff_too_large.manuscripts': 'Compare versions that are more similar, or download both.',
  'diff_too_large.versions': 'The versions are too different. Compare versions that are more similar.',
  'empty_upload.answer_file': '"{name}" is empty. Send its content, or answer "skip".',
  'empty_upload.no_file': 'Send at least one file as a part of multipart/form-data.',
  'file_exists.different':
    'The session already has a different "{name}". Delete it first, or rename the new file.',
  'file_in_use.active_run': 'Wait until the active run of the session ends, or cancel it.',
  'file_too_large.base64': 'Download the file itself: remove "/base64" from the URL.',
  'file_too_large.input': '"{name}" is larger than {limit} MB. Split it and send the parts.',
  'file_too_large.resource': 'The resource is larger than 8 MiB. Download it through the API.',
  'file_too_large.split': 'A file is larger than the limit. Split it or ask the operator.',
  'forbidden.cannot_grant': 'Your key cannot grant {scopes}: it lacks that scope.',
  'forbidden.link_from_token': 'A token cannot create a sign-in link. Send the API key.',
  'forbidden.token_from_token': 'A token cannot create another token. Send the API key.',
  'headers_too_large.shorter': 'Send fewer or shorter headers, or a shorter URL.',
  'idempotency_key_reused.new_key': 'Use a new key for a different request.',
  'idempotency_outcome_unknown.check_effect':
    'The first request was interrupted. Check whether it took effect; if not, send it again with a new key.',
  'idempotency_under_way.wait': 'Wait a moment and send the request again.',
  'internal_error.retry': 'Try again. If it fails again, send the operator the request ID of the response.',
  'invalid_answer.file_choice': 'Choose a file of the session, upload a file, or skip.',
  'invalid_answer.json_or_multipart': 'Send a JSON object, or multipart/form-data with a part per reference.',
  'invalid_answer.paragraph_ids': 'Use the paragraph IDs in details.paragraphs.',
  'invalid_answer.plan_arguments': 'Only arguments of tasks in the next layer can be changed.',
  'invalid_answer.schema':
    'The answer must match "answer_schema" of the decision; "errors" lists the invalid fields.',
  'invalid_request.bibliography':
    'The text is not a bibliography in BibTeX or CSL-JSON, or it has no entries.',
  'invalid_request.csl_style':
    'This is a CSL citation style, which is not supported. Import BibTeX or CSL-JSON, and choose the style chicago, apa, mla or numeric for the export.',
  'invalid_request.one_reference': 'Send exactly one entry for a source.',
  'invalid_request.assignee': 'Assign the decisions to an API key of the tenant.',
  'invalid_request.characters':
    'The request contains a NUL character or half of a surrogate pair. Remove it and send the request again.',
  'invalid_request.compare_what': 'Specify what to compare: "with", "version", "with_version".',
  'invalid_request.cursor': 'Pass the previous page\'s "next_cursor" unchanged.',
  'invalid_request.encoding': 'The encoding is unknown. Use one such as windows-1250 or utf-16le.',
  'invalid_request.expiry': 'The expiry of a key must be in the future.',
  'invalid_request.files_per_request': 'Send at most {max} files in one request.',
  'invalid_request.idempotency_key': 'Send a key such as a UUID.',
  'invalid_request.intent_or_dag': 'Pass "intent", "dag" or "template".',
  'invalid_request.nested': 'The body is nested deeper than {max} levels. Flatten it.',
  'invalid_request.text_too_hard': 'Parsing the text takes too long. Split it into several chapters.',
  'invalid_request.texts_too_hard': 'Parsing the text takes too long. Split it into several texts.',
  'invalid_request.unknown_changes': 'Only changes between these two versions can be accepted or rejected.',
  'invalid_request.unknown_inputs': 'The session has no inputs with these names: {names}.',
  'last_admin_key.create_another':
    'First create another key with the admin scope and no expiry, or rotate this one.',
  'malformed_json.empty': 'The content type says JSON, but the body is empty.',
  'malformed_json.not_utf8': 'The body is not UTF-8. JSON must be UTF-8.',
  'malformed_json.send_json': 'Send a body that is valid JSON.',
  'malformed_json.unreadable': 'The request could not be read. Check its body and headers.',
  'malformed_multipart.boundary':
    'The content type must contain the boundary between the parts, at most 70 characters long.',
  'malformed_multipart.incomplete':
    'The body is incomplete, or its parts are not separated by the boundary in the content type. Send the upload again.',
  'malformed_multipart.rename_part': 'Rename the part.',
  'malformed_request.not_http': 'The request is not valid HTTP.',
  'mcp_server_exists.name': 'Choose a name other than "{name}", or delete the existing server.',
  'method_not_allowed.methods': 'Use one of {methods}.',
  'model_failed.ask_again': '{reason} Ask again.',
  'model_failed.send_again': '{reason} Send the message again, or fill in the form.',
  'model_price_unknown.set_price':
    'A cost budget applies, but the model has no price. Set it with your model endpoint, ask the operator to set it (MODEL_PRICES), or use max_tokens.',
  'needs_model.chapter':
    'No model is configured, so nobody can follow feedback on a chapter. Edit its text, or configure a model.',
  'needs_model.outline':
    'No model is configured, so nobody can follow feedback on the outline. Send the changes as operations ({operations}), change the outline itself, or configure a model.',
  'needs_model.plan':
    'No model is configured, so nobody can plan for a request. Start a template ({templates}), give the plan as a graph, or configure a model.',
  'needs_model.profile':
    'No model is configured, so nobody can read messages about the book. Fill in the fields of the profile ({fields}), or configure a model.',
  'needs_model.profile_rules':
    'Rules no longer answer messages. Fill in the fields of the profile ({fields}), or send the message to the model again.',
  'no_embeddings.lexical':
    'Use the search mode "lexical", or set an embedding model for your endpoint or the installation.',
  'no_inputs.no_usable': 'No input file is a text, a document or an image.',
  'no_inputs.upload': 'Upload at least one input file before you start a run.',
  'no_manuscript.not_started':
    'The session has no manuscript yet. Start a run, or wait for its first chapter.',
  'no_manuscript.nothing_to_change':
    'The session has no text that could be changed. Start a run and wait for its result.',
  'no_manuscript.of_session': 'Session {session} has no manuscript yet.',
  'no_model.change':
    'Rules cannot change a text as asked. Edit the text yourself, set a model endpoint, or ask the operator to configure a model.',
  'no_model.nothing_to_check':
    'There is no model to check. Set one with "scriptorium model set", or have the operator set OPENAI_MODEL and OPENAI_API_KEY (any value for a server without keys).',
  'not_a_fork.other_session': 'Only a session that was forked from this one can be promoted.',
  'not_assignee.wrong_key':
    'Only the key named by "assignee" of the decision, or a key with the admin scope, may answer it.',
  'not_found.active_key': 'Active API key not found.',
  'not_found.book': 'Book not found. GET /api/books/projects lists your books.',
  'not_found.chapter': 'Chapter not found.',
  'not_found.chapter_version': 'Chapter or version not found.',
  'not_found.checkpoint': 'The run has no checkpoint {checkpoint}.',
  'not_found.checkpoint_of_run':
    'The run has no checkpoint with that ID. GET its history for the available ones.',
  'not_found.collection': 'Collection not found.',
  'not_found.decision': 'Decision not found. GET /api/decisions lists the open decisions.',
  'not_found.decision_deleted': 'The decision was deleted with its session.',
  'not_found.export': 'The session has no export with that ID.',
  'not_found.failed_job': 'No failed job with that ID was found in the queues {queues}.',
  'not_found.fork': 'The session in "fork_session_id" was not found.',
  'not_found.image': 'The session has no image with that reference.',
  'not_found.input': 'The session has no input with that name.',
  'not_found.key': 'API key not found.',
  'not_found.mcp_server': 'MCP server not found.',
  'not_found.named_checkpoint': 'The session has no named checkpoint with that ID.',
  'not_found.named_checkpoint_of_run': 'The run has no named checkpoint with that ID.',
  'not_found.not_indexed': 'The source has not been indexed yet.',
  'not_found.parent_deleted': 'The parent resource was deleted in the meantime.',
  'not_found.path': 'The path does not exist or does not support this method.',
  'not_found.plan': 'Plan not found.',
  'not_found.result': 'The session has no result with that kind and name.',
  'not_found.run': 'Run not found.',
  'not_found.run_of_session': 'The session has no run with that ID.',
  'not_found.secret': 'Secret not found.',
  'not_found.session': 'Session not found. GET /api/sessions lists your sessions.',
  'not_found.session_gone': 'Session not found.',
  'not_found.source': 'Source not found.',
  'not_found.task_result': 'The plan has no result for that task.',
  'not_found.tenant': 'Tenant not found.',
  'not_found.thread_article': 'The thread has no article yet. Send "inputs" to start one.',
  'not_found.thread_question': 'The thread has no open question with that ID.',
  'not_found.tool_of_server': 'The server has no tool named "{tool}".',
  'not_found.url': 'The path is not a valid URL.',
  'not_found.version': 'Version not found.',
  'not_found.version_or_checkpoint': 'The session has no version or named checkpoint with that ID.',
  'not_found.webhook': 'Webhook not found.',
  'not_text.binary':
    '"{name}" has binary content, but the name of a text file. Correct the file extension, or omit the file.',
  'not_text.nul':
    '"{name}" contains NUL bytes, like a log that was truncated while a program was writing to it. Remove them: tr -d \'\\000\' < FILE.',
  'not_utf8.guess':
    '"{name}" is not UTF-8. Its encoding looks like: {guess}. Convert the file, or send it again with ?encoding=NAME to have it converted (or ?encoding=PATTERN=NAME for files whose name matches).',
  'not_utf8.other_encoding': '"{name}" is neither UTF-8 nor {encoding}. Specify its encoding.',
  'precondition_required.chapter':
    'Send the ETag of the chapter that you edited as If-Match, so that you do not overwrite the changes of others.',
  'proposal_refused.findings':
    'See "findings" for the reasons. Reject the change, and ask for one that cites its sources.',
  'proposal_refused.paragraphs':
    'The proposed words would change the paragraphs around the selection. Reject them and select whole paragraphs.',
  'request_timeout.body': 'The body did not arrive in time. Send it again.',
  'request_timeout.headers': 'The headers did not arrive in time.',
  'run_active.cancel_first': 'Cancel the active run of the session first, or wait until it ends.',
  'run_active.wait': 'Wait until the active run of this session ends, or cancel it.',
  'run_finished.no_book_writer': 'No active run is writing this whole book, so there is nothing to stop.',
  'run_finished.no_more_questions': 'The run has ended and will ask no more questions.',
  'run_finished.nothing_to_cancel': 'The run has already ended; there is nothing to cancel.',
  'run_finished.plan': 'The plan has already ended.',
  'run_finished.plan_ending': 'The plan has ended or is about to end.',
  'secret_exists.name': 'Choose a name other than "{name}", or change that secret.',
  'source_unreadable.old_word':
    '{name} is in the old Word format. Save it as .docx (in Word: Save As; without Word: soffice --convert-to docx) and send that.',
  'source_unreadable.unknown_type':
    'No text can be read from {name}. Send text, Markdown, PDF, Word (.docx), RTF, OpenDocument, Excel (.xlsx), PowerPoint (.pptx), EPUB, HTML, notebooks or CSV.',
  'storage_quota_exceeded.used':
    'The tenant uses {used} of {limit} bytes. Delete sessions or inputs, or ask the operator to raise the limit.',
  'storage_quota_exceeded.would_use':
    'The tenant would use {used} of {limit} bytes. Delete sources or sessions, or ask the operator to raise the limit.',
  'task_over.restore': 'The tenant can restore the run from a checkpoint, or start a new run.',
  'tenant_suspended.ask_operator': 'Ask the operator of the service to lift the suspension.',
  'token_quota_exceeded.used':
    'The tenant has used {used} of {limit} tokens. Wait until next month, or ask the operator to raise the limit.',
  'too_many_chapters.max': 'A book may have at most {max} chapters.',
  'too_many_collections.max': 'Delete one first; a tenant may have {max}.',
  'too_many_files.files_per_request': 'Send fewer files in one request.',
  'too_many_files.parts_per_request': 'Send fewer parts in one request.',
  'too_many_files.session_has':
    'A session may have at most {max} files and has {count}. Use several sessions, or ask the operator to raise the limit.',
  'too_many_files.session_max':
    'A session may have at most {max} files. Use several sessions, or ask the operator to raise the limit.',
  'too_many_keys.max':
    'A tenant may have at most {max} active keys. Revoke one first, or rotate one without a grace period.',
  'too_many_mcp_servers.max': 'Delete one first; a tenant may have {max}.',
  'too_many_requests.address':
    'Your address sent too many requests with invalid credentials. Try again in {seconds} s.',
  'too_many_secrets.max': 'Delete one first; a tenant may have {max}.',
  'too_many_webhooks.max': 'Delete one first; a tenant may have {max}.',
  'transcripts_off.upload_captions':
    'Upload the captions as .vtt or .srt, or ask the operator for YOUTUBE_TRANSCRIPTS.',
  'unauthorized.audience':
    'The token is for another audience. Create one for the audience "{audience}", or send the API key.',
  'unauthorized.key_ended': 'The API key has just expired or been revoked.',
  'unauthorized.link_used':
    'The link has already been used or is older than five minutes. Create another one, or sign in with an API key.',
  'unauthorized.operator': "Send the operator's credentials (HTTP Basic).",
  'unauthorized.send_key': 'Send a valid API key as "Authorization: Bearer scr_…".',
  'unauthorized.session_ended': 'The session has ended. Sign in again.',
  'unauthorized.stream': 'The API key has expired or was revoked. The run continues.',
  'unavailable.copy_slow': 'The copy took too long. Send the request again.',
  'unavailable.deleting': 'The files of an earlier attempt are still being deleted. Try again in an hour.',
  'unavailable.retry': 'Send the request again in {seconds} s.',
  'unsupported_media_type.compressed': 'Send the body uncompressed, without Content-Encoding.',
  'unsupported_media_type.multipart': 'Send the files as multipart/form-data.',
  'unsupported_media_type.send_json': 'Send application/json, or multipart/form-data for uploads.',
  'unsupported_media_type.send_multipart':
    'Send the files as multipart/form-data, for instance with curl -F file=@notes.md.',
  'book_title.no_word': 'A title needs at least one word.',
  'book_title.placeholder': '"{title}" is a placeholder. Which title should be on the cover?',
  'file_name.absolute': 'begins with "/": send a path relative to the folder of the sources',
  'file_name.backslash': 'contains "\\": separate folders with "/"',
  'file_name.empty': 'is empty',
  'file_name.folder': 'ends with "/": it names a folder',
  'file_name.invisible': 'contains a control or an invisible character',
  'file_name.long': 'is longer than {max} bytes',
  'file_name.long_part': 'has a part that is longer than {max} bytes',
  'file_name.parent_folder': 'contains ".." as a folder',
  'file_name.two_dots': 'has a part that begins with ".."',
  'file_name.unicode': 'is not well-formed Unicode',
  'forbidden.no_scope': 'This requires the scope "{scope}"; your scopes: none.',
  'forbidden.scope': 'This requires the scope "{scope}"; your scopes: {scopes}.',
  'invalid_file_name.rename': 'The file name {problem}. Rename the file and send it again.',
  'invalid_request.body': 'The body does not match its schema; "errors" lists each invalid field.',
  'invalid_request.query': 'The query does not match its schema; "errors" lists each invalid field.',
  'no_corpus.add_texts':
    'Add texts to a collection with the purpose "style", or set inputs.rules to "general" to review the text without one.',
  'no_proposal.ended': 'The run ended without a proposal; its error says why. Start another one.',
  'no_proposal.still_working': 'The run is still working. Follow its events until it ends.',
  'selection.ambiguous':
    'The text contains the selected words more than once. Select more words, or specify which occurrence.',
  'selection.few_lines': 'The text has only {count} lines.',
  'selection.fewer': 'The text contains the selected words fewer than {count} times.',
  'selection.lines_reversed': 'The last line comes before the first line.',
  'selection.no_words': 'The selection contains no words.',
  'selection.not_in_text': 'The text does not contain the selected words exactly as they were sent.',
  'selection.too_long': 'Select at most {max} characters at a time.',
  'too_many_requests.key': 'The key may send {max} requests per minute. Try again in {seconds} s.',
  'too_many_requests.tenant':
    'All keys of the tenant together may send {max} requests per minute. Try again in {seconds} s.',
  'transcript_unavailable.address':
    'Send the address of a YouTube video, such as https://www.youtube.com/watch?v=…',
  'transcript_unavailable.empty':
    'YouTube returned empty captions for the video. Upload the captions as .vtt or .srt.',
  'transcript_unavailable.no_captions': 'The video has no public captions.',
  'transcript_unavailable.no_response':
    'YouTube did not return captions. Upload the captions as .vtt or .srt.',
  'transcript_unavailable.no_text': 'The captions of the video contain no text.',
  'transcript_unavailable.not_played': 'YouTube does not play the video: {reason}',
  'transcript_unavailable.not_webvtt': 'The captions of the video could not be parsed.',
  'transcript_unavailable.other_host': 'The captions are on an unexpected host.',
  'transcript_unavailable.other_languages': 'The video has captions in {languages}.',
  'transcript_unavailable.unreadable':
    'The response of YouTube could not be read. Upload the captions as .vtt or .srt.',
  'url_refused.credentials': 'The URL must not contain credentials.',
  'url_refused.invalid': 'The URL is not valid.',
  'url_refused.not_https': 'The URL must start with https://.',
  'url_refused.not_public': 'The host must resolve to public addresses only.',
  'url_refused.port': 'The port must be one of {ports}.',
} as const;
