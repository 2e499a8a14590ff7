import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError } from '../model-error.js';
import { tokensOf } from '../tokens.js';
import { withoutThinking } from '../thinking.js';
import { AcceptedRequest } from '../wire/accepted-request.js';
import { askServer, type AskedAnswer } from './ask-server.js';
import { listedNames, readListedModel, type ModelServer } from './listed-model.js';
import type { ModelProfile } from './model-profile.js';

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
