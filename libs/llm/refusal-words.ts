/** Messages of servers if a prompt is too long for the model or for one request. */
const PROMPT_TOO_LONG = [
  // OpenAI, Azure, vLLM, DeepSeek, OpenRouter, Fireworks
  /maximum context length|context window/i,
  // OpenAI and Groq, if one request is more than the tokens of a minute: waiting does not help
  /request (?:body )?too large for/i,
  // Anthropic, also behind other names
  /(?:prompt|input) is too long|exceed context limit/i,
  // Gemini
  /exceeds the maximum number of tokens/i,
  // llama.cpp
  /available context size|context size has been exceeded|fit (?:in|into) the context/i,
  // vLLM, SGLang, Mistral, Ollama, TensorRT-LLM
  /longer than the (?:maximum model length|model's context)|too large for model/i,
  /exceeds? (?:the )?(?:model's )?(?:maximum )?(?:context|input|allowed) length/i,
  /context length is only|greater than max_seq_len/i,
  // LM Studio
  /context length of only|context the overflows|reached context length/i,
  // xAI, Moonshot, Zhipu, Qwen
  /maximum prompt length|exceeded model token limit|prompt exceeds max length|range of input length/i,
  // Text Generation Inference, Together
  /`inputs` must have less than|`inputs` tokens \+ `max_new_tokens`/i,
  // GitHub, Cohere, Groq, Cerebras, OpenAI's responses
  /(?:prompt token count|tokens in the prompt|input tokens)[^\n]{0,30}\bexceed/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  // Other languages
  /超长|输入[^\n]{0,20}(?:过长|超过|超出)|上下文长度/,
  /maximale Kontextlänge|longueur maximale d[ue] contexte|longitud máxima de contexto/i,
];

/** Messages of servers, with any status, if the account has no credit. */
const NO_CREDIT =
  /insufficient.quota|exceeded your current quota|billing|credit balance is too low|insufficient (?:balance|credits)/i;

/** Messages with status 400 if the key is wrong. */
const WRONG_KEY =
  /(?:invalid|incorrect|wrong|malformed) api.?key|api.?key (?:is )?(?:not valid|invalid|expired)/i;

/** Messages with status 400 or 404 if the server does not have the model. */
const MODEL_UNKNOWN =
  /model not (?:exist|found)|not a valid model|(?:no such|unknown|invalid) model\b|model \S{1,80} (?:does not exist|not found)/i;

/** Messages with status 400 or 403 if a filter refuses the prompt. */
const PROMPT_REFUSED = /(?:input|prompt|request|content) (?:was|is|has been) (?:flagged|blocked)/i;

/** Messages with status 400 or 403 if a rate limit is exceeded. */
const TOO_FAST =
  /rate.?limit (?:exceeded|reached)|(?:exceeded|reached)[^\n]{0,20}rate.?limit|too many requests|throttl/i;

export const saysTooFast = (words: string): boolean => TOO_FAST.test(words);
export const saysPromptTooLong = (words: string): boolean =>
  PROMPT_TOO_LONG.some((pattern) => pattern.test(words));
export const saysNoCredit = (words: string): boolean => NO_CREDIT.test(words);
export const saysWrongKey = (words: string): boolean => WRONG_KEY.test(words);
export const saysModelUnknown = (words: string): boolean => MODEL_UNKNOWN.test(words);
export const saysPromptRefused = (words: string): boolean => PROMPT_REFUSED.test(words);
