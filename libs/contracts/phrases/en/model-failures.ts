/** Why a model cannot answer, and what to do. */
export const modelFailures = {
  'model_failure.malformed_tool_calls':
    'The model sent {times} answers in a row that were empty, cut off or malformed tool calls.',
  'model_failure.model_answer_cut':
    'The model cut its answers to "{operation}" at its length limit, twice. Raise the limit of the model or of the budget, or ask for less at a time.',
  'model_failure.model_answer_too_long': 'The model does not end its answer.',
  'model_failure.model_answer_unusable':
    'The model\'s answers to "{operation}" could not be used, twice: {reason}',
  'model_failure.model_answer_unusable.plan':
    "The model's plan cannot run, also after {max} corrections: {problems}",
  'model_failure.model_answer_unusable.schema':
    'The model returned no answer that matches the schema, twice.',
  'model_failure.model_not_found':
    'The model provider knows no such model or address (OPENAI_MODEL, OPENAI_BASE_URL).',
  'model_failure.model_not_found.listed': '{error} It lists {names}.',
  'model_failure.model_not_found.web_page':
    'The model provider answered with a web page. Check the base URL, which usually ends in "/v1".',
  'model_failure.model_price_unknown':
    'A cost budget applies, but the model has no price. Set one with the model endpoint, or in MODEL_PRICES of the agent-runner.',
  'model_failure.model_prompt_too_long': 'The prompt is too long for the model.',
  'model_failure.model_quota_exceeded': 'The quota of the model provider is used up.',
  'model_failure.model_rate_limited': 'The model provider limits the rate of calls.',
  'model_failure.model_refused': "The model or its provider's content filter refused to answer.",
  'model_failure.model_refused.words':
    "The model or its provider's content filter refused to answer: {words}",
  'model_failure.model_rejected': 'The model provider rejected the call with status {status}: {words}',
  'model_failure.model_rejected.dimensions':
    'The embedding server answered with vectors of different dimensions, or of none.',
  'model_failure.model_rejected.endpoint': 'The model endpoint is refused. {reason}',
  'model_failure.model_rejected.no_tools': 'The model cannot call tools.',
  'model_failure.model_rejected.redirect':
    'The model provider redirects (status {status}). Only 307 and 308 within its origin are followed: no other server gets the prompt. Set the base URL to the address that answers.',
  'model_failure.model_rejected.vectors':
    'The embedding server did not answer with one vector for each text.',
  'model_failure.model_timeout': 'The model did not answer in time.',
  'model_failure.model_unauthorized': 'The model provider refused the API key (OPENAI_API_KEY).',
  'model_failure.model_unauthorized.stored_key':
    'The stored key of the model endpoint can no longer be read. Set it again.',
  'model_failure.model_unavailable': 'The model provider answered with status {status}.',
  'model_failure.model_unauthorized.access':
    'The model provider refuses access with this API key (OPENAI_API_KEY){words}.',
  'model_failure.model_unavailable.loading':
    'The model provider answered with status {status}: it is loading the model.',
  'model_failure.model_unavailable.no_answer':
    'Nothing answers at the address of the model provider ({code}). Check that the server runs, and the base URL (OPENAI_BASE_URL).',
  'model_failure.model_unavailable.check_stopped': 'The service stopped before the check was complete.',
  'model_failure.model_unavailable.connection': 'The connection to the model provider failed or broke off.',
  'model_failure.model_unavailable.cut': 'The model provider ended its answer in the middle.',
} as const;
