import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError, toModelError } from '../model-error.js';
import { tokensOf } from '../tokens.js';
import { withoutThinking } from '../thinking.js';
import { AcceptedRequest } from '../wire/accepted-request.js';
import { listedNames, readListedModel, type ModelServer } from '../wire/listed-model.js';
import type { ModelProfile } from './model-profile.js';
import { jsonOf } from '#contracts/lenient.js';
import type { OpenAIClient } from '@langchain/openai';
import { timeLimit } from '#contracts/wait.js';
import { boundedFetch, apiUrl, keyHeaders } from '../bounded-fetch.js';
import type { CallableTools } from '../callable-tools.js';
import { usualChunk } from '../wire/usual-chunk.js';
import { writtenCalls } from '../wire/written-calls.js';

type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;

/** Content of a streamed answer. */
interface AskedAnswer {
  text: string;
  /** Names of the called functions. */
  calls: string[];
  /** Usage that the server reported; null if it reported none. */
  usage: { input: number; output: number } | null;
  hasReasoning: boolean;
  finishReason: string | null;
}

const MAX_LESSONS = 10;

/**
 * Sends a small request to a chat server without LangChain, which the gateway does not load. Parts that the server
 * refuses are dropped.
 *
 * @throws ModelError if the server refuses the request itself or does not answer in time
 */
async function askServer(
  server: ModelServer,
  accepted: AcceptedRequest,
  request: Omit<Request, 'stream'>,
  timeoutMs: number,
): Promise<AskedAnswer> {
  for (let lessons = 0; ; lessons++) {
    const sent = accepted.apply<Request>({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    try {
      return await send(server, sent, timeoutMs);
    } catch (error) {
      if (lessons >= MAX_LESSONS || !accepted.learn(error, sent)) throw toModelError(error);
    }
  }
}

async function send(
  { baseUrl, apiKey, send: via, signal }: ModelServer,
  request: Request,
  timeoutMs: number,
): Promise<AskedAnswer> {
  const response = await boundedFetch(
    apiUrl(baseUrl, 'chat/completions'),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(baseUrl, apiKey) },
      body: JSON.stringify(request),
      signal: timeLimit(timeoutMs, signal),
    },
    via,
  );
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  const answer: AskedAnswer = {
    text: '',
    calls: [],
    usage: null,
    hasReasoning: false,
    finishReason: null,
  };
  const seen = new Set<string>();
  for (const chunk of chunksOf(text)) addChunk(answer, usualChunk(chunk), seen);
  if (answer.calls.length === 0) answer.calls = callsInText(answer.text, request);
  return answer;
}

/** Returns the names of the tools that a model called in its text. */
function callsInText(text: string, { tools = [] }: Request): string[] {
  const functions = tools.filter((tool) => tool.type === 'function');
  const callable: CallableTools = new Map(functions.map((tool) => [tool.function.name, () => true]));
  return writtenCalls(withoutThinking(text), callable)?.calls.map(({ name }) => name) ?? [];
}

function refusal({ status, headers }: Response, text: string): Error {
  const { error } = (jsonOf(text) ?? {}) as { error?: unknown };
  const { message, code, param } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const words = typeof message === 'string' ? message : typeof error === 'string' ? error : text;
  return Object.assign(new Error(words.slice(0, 1_000)), { status, headers, code, param });
}

/** Returns the chunks of a body of server-sent events, or of an answer that is not streamed. */
const chunksOf = (body: string): Chunk[] =>
  (body.trimStart().startsWith('{') ? [`data:${body.replaceAll('\n', ' ')}`] : body.split('\n'))
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => jsonOf(line.slice('data:'.length)))
    .filter((value): value is Chunk => typeof value === 'object' && value !== null);

function addChunk(answer: AskedAnswer, { choices, usage }: Chunk, seen: Set<string>): void {
  if (usage) {
    answer.usage = { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 };
    if ((usage.completion_tokens_details?.reasoning_tokens ?? 0) > 0) answer.hasReasoning = true;
  }
  for (const { delta, finish_reason: reason } of choices.slice(0, 1)) {
    answer.finishReason = reason ?? answer.finishReason;
    answer.text += delta.content ?? '';
    if (Object.keys(delta).some((name) => name.startsWith('reasoning'))) answer.hasReasoning = true;
    for (const { id, index, function: called } of delta.tool_calls ?? []) {
      const key = id ?? String(index);
      if (!called?.name || seen.has(key)) continue;
      seen.add(key);
      answer.calls.push(called.name);
    }
  }
}

/** Time limit of one request; a local server may load the model first. */
const TIMEOUT_MS = 40_000;
/** Room for the reasoning of models that reason. */
const ANSWER_TOKENS = 2_048;

const TWO_CALLS = 'Read the files a.md and b.md. Call the tool once for each file, both in this answer.';
const READ_FILE = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { filename: { type: 'string' } },
      required: ['filename'],
    },
  },
} as const;
const COLOUR = 'Answer in JSON with one field, "colour", which is the colour of grass: "green" or "red".';
const COLOUR_SCHEMA = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['green', 'red'] } },
  required: ['colour'],
};

/** Records the tokens of an answer. */
export type Spend = (tokens: { input: number; output: number; estimated: boolean }) => Promise<void>;

/** Servers refuse tools that a model cannot use with status 400 or 404. */
const NO_TOOLS = new Set<string>(['model_rejected', 'model_not_found']);

const ask = (model: string, content: string) => ({
  model,
  messages: [{ role: 'user' as const, content }],
  max_tokens: ANSWER_TOKENS,
});

/**
 * Asks a server what a model can do, with its list of models and three small requests, and notes it in the profile.
 *
 * @throws ModelError if the server cannot be reached, or refuses the key or the model
 */
export async function checkModel(
  server: ModelServer,
  model: string,
  profile: ModelProfile,
  spend: Spend,
): Promise<void> {
  const listed = await readListedModel(server, model);
  if (listed) profile.note(listed);
  // Try again what the server refused before: it may have been updated.
  profile.accepted.format = 'json_schema';
  const asking = { server, model, profile, spend };
  try {
    await checkFormats(asking);
  } catch (error) {
    throw await withNames(error, server, model);
  }
  profile.note(await toolsOf(asking));
}

/** Maximum number of a server's models that an error names. */
const MOST_NAMES = 10;

/** Adds the names of a server's models to the error that a model is unknown. */
async function withNames(error: unknown, server: ModelServer, model: string): Promise<unknown> {
  if (!(error instanceof ModelError && error.code === 'model_not_found')) return error;
  const names = await listedNames(server);
  if (names.length === 0 || names.includes(model)) return error;
  const quoted = names
    .slice(0, MOST_NAMES)
    .map((name) => `"${name.slice(0, 80)}"`)
    .join(', ');
  const rest = names.length - MOST_NAMES;
  const listed = rest > 0 ? phrase('list.more', { names: quoted, count: rest }) : quoted;
  const detail = phrase('model_failure.model_not_found.listed', { error: detailOf(error), names: listed });
  return new ModelError(error.code, detail, false);
}

/**
 * Asks a server only for facts that the answers of a model have not shown so far, and notes them in the profile.
 *
 * @throws ModelError if the server cannot be reached, or refuses the key or the model
 */
export async function checkRest(
  server: ModelServer,
  model: string,
  profile: ModelProfile,
  spend: Spend,
): Promise<void> {
  const { json_schema: schema, json_object: object, tools, parallel_calls: parallel } = profile.facts;
  const asking = { server, model, profile, spend };
  if (schema === null || (schema && object === null)) await checkFormats(asking);
  if (tools !== null && parallel !== null) return;
  const found = await toolsOf(asking);
  // Work shows more than a question: a model that called a tool can do so.
  profile.note({ tools: tools ?? found.tools, parallel_calls: parallel ?? found.parallel_calls });
}

/** A model that is being checked. */
interface Asking {
  server: ModelServer;
  model: string;
  profile: ModelProfile;
  spend: Spend;
}

async function checkFormats(asking: Asking): Promise<void> {
  const { server, model, profile } = asking;
  const { accepted } = profile;
  const schema = { name: 'colour', schema: COLOUR_SCHEMA };
  const request = {
    ...ask(model, COLOUR),
    response_format: { type: 'json_schema' as const, json_schema: schema },
  };
  const answer = await askServer(server, accepted, request, TIMEOUT_MS);
  await noteAnswer(asking, request, answer);
  const format = accepted.format as AcceptedRequest['format'];
  if (format !== 'json_schema')
    return profile.note({ json_schema: false, json_object: format === 'json_object' });
  profile.note({ json_schema: isColour(answer) });
  // A separate memory: refusals here must not change other requests.
  const trial = new AcceptedRequest();
  trial.restore(accepted.stored());
  const simpler = { ...ask(model, COLOUR), response_format: { type: 'json_object' as const } };
  await noteAnswer(asking, simpler, await askServer(server, trial, simpler, TIMEOUT_MS));
  profile.note({ json_object: trial.format === 'json_schema' });
}

async function toolsOf(asking: Asking): Promise<{ tools?: boolean; parallel_calls?: boolean }> {
  const { server, model, profile } = asking;
  try {
    const request = { ...ask(model, TWO_CALLS), tools: [READ_FILE] };
    const answer = await askServer(server, profile.accepted, request, TIMEOUT_MS);
    await noteAnswer(asking, request, answer);
    const wasCut = answer.calls.length === 0 && answer.finishReason === 'length';
    if (wasCut) return {};
    return { tools: answer.calls.length > 0, parallel_calls: answer.calls.length > 1 };
  } catch (error) {
    // The server answered without tools before, so it refuses the tools.
    if (!(error instanceof ModelError && NO_TOOLS.has(error.code))) throw error;
    return { tools: false, parallel_calls: false };
  }
}

async function noteAnswer(
  { profile, spend }: Asking,
  request: object,
  { text, usage, hasReasoning }: AskedAnswer,
): Promise<void> {
  const reasoning = hasReasoning || withoutThinking(text) !== text;
  profile.note({ stream_usage: usage !== null, reasoning: reasoning || (profile.facts.reasoning ?? false) });
  const counted = () => ({ input: tokensOf(JSON.stringify(request)), output: tokensOf(text) });
  await spend({ ...(usage ?? counted()), estimated: usage === null });
}

function isColour({ text }: AskedAnswer): boolean {
  try {
    const { colour } = JSON.parse(withoutThinking(text)) as { colour?: unknown };
    return colour === 'green' || colour === 'red';
  } catch {
    return false;
  }
}
