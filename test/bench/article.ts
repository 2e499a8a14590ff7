/**
 * Measures conversations about articles: `npm run bench:article [-- --rounds 60] [--streams 200] [--json file]`.
 * Runs the whole embedded stack with a model that answers immediately. Measures the time to the first token, compared
 * with a direct call of the model, the time from an answer to the next node, and concurrent streams.
 */
import { ensureFirstKey } from '#embedded/first-key.js';
import { startStack } from '#embedded/stack.js';
import { ApiClient } from '#testing/api-client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel } from '#testing/article-model.js';
import { chat, type ChatAnswer, type ChatFrame } from '#testing/chat-client.js';
import { startModelStub } from '#testing/model-stub.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './engine/figures.js';
import { benchOptions } from './options.js';

const { sizes, save } = benchOptions({
  rounds: [60, 2],
  streams: [200, 5],
  /** Warm-up rounds for connections and compilation: the benchmark measures a stack that has been running for a while. */
  warm: [30, 1],
});
const { rounds, streams, warm } = sizes;

/** Milliseconds until the model's first token, requested directly. */
async function direct(baseUrl: string): Promise<number> {
  const from = performance.now();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'stub',
      stream: true,
      messages: [{ role: 'user', content: 'Task: write the research report' }],
    }),
  });
  const decoder = new TextDecoder();
  let seen = '';
  for await (const chunk of response.body!) {
    seen += decoder.decode(chunk, { stream: true });
    if (/"content":"[^"]/.test(seen)) break;
  }
  return performance.now() - from;
}

interface Timed {
  answer: ChatAnswer;
  /** Until the first event that was waited for, in milliseconds. */
  ms: number;
}

async function timedChat(
  client: ApiClient,
  path: 'stream' | 'resume',
  body: Record<string, unknown>,
  isIt: (frame: ChatFrame) => boolean,
): Promise<Timed> {
  const from = performance.now();
  let ms = Number.NaN;
  const enough = (frame: ChatFrame) => {
    if (Number.isNaN(ms) && isIt(frame)) ms = performance.now() - from;
    return false;
  };
  return { answer: await chat(client, path, body, { enough }), ms };
}

const isToken = ({ event }: ChatFrame) => event === 'token';
const isNode = ({ event }: ChatFrame) => event === 'node_complete';
const begin = (client: ApiClient, topic: string) =>
  timedChat(client, 'stream', { inputs: { topic, allow_duplicate: true } }, (frame) => isToken(frame));
const resume = (client: ApiClient, { threadId, frames }: ChatAnswer, action: string) => {
  const decision_id = frames.at(-1)!.data['decision_id'];
  return timedChat(client, 'resume', { thread_id: threadId, decision_id, answer: { action } }, isNode);
};

const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-article-'));
const stub = await startModelStub({ respond: new ArticleModel().respond });
const { PATH, HOME } = process.env;
const env = { PATH, HOME, LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '1000000' };
const model = { OPENAI_API_KEY: 'sk-bench', OPENAI_BASE_URL: stub.baseUrl, OPENAI_MODEL: 'stub' };
const stack = await startStack({ dataDir, env: { ...env, ...model } });
try {
  const { key } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
  const client = new ApiClient(stack.url, key);
  const source = '# Tower\n\nThe tower is 31 metres high. It was built in 1874 of grey stone.\n';
  await new ArticleDesk(client).collection('knowledge', { 'tower.md': source });
  const figures = { direct: [] as number[], stack: [] as number[], resume: [] as number[] };
  for (let round = 0; round < rounds + warm; round++) {
    const alone = await direct(stub.baseUrl);
    const { answer, ms } = await begin(client, `The tower, told for the ${round}. time`);
    const drafted = await resume(client, answer, 'approve');
    await resume(client, drafted.answer, 'stop');
    if (round < warm) continue;
    figures.direct.push(alone);
    figures.stack.push(ms);
    figures.resume.push(drafted.ms);
  }
  const from = performance.now();
  const many = await Promise.all(
    Array.from({ length: streams }, (_, n) => begin(client, `The tower, stream ${n}`)),
  );
  const seconds = (performance.now() - from) / 1_000;
  const whole = many.filter(({ answer }) => answer.frames.at(-1)?.event === 'hitl_pause');
  const result = {
    firstTokenMs: { direct: percentiles(figures.direct), stack: percentiles(figures.stack) },
    firstTokenOverheadMs: percentiles(figures.stack.map((ms, n) => ms - figures.direct[n]!)),
    resumeToNextNodeMs: percentiles(figures.resume),
    streams: whole.length,
    streamsFirstTokenMs: percentiles(many.map(({ ms }) => ms)),
    streamsSeconds: Math.round(seconds * 10) / 10,
    loadAverage: loadavg()[0],
  };
  console.log(result);
  save(result);
} finally {
  await stack.stop();
  await stub.stop();
  await rm(dataDir, { recursive: true, force: true });
}
