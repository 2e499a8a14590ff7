/**
 * Runs documents, a chapter, an article and plans on fixed sources with a real model, and prints what each took and how it ended.
 *
 *   OPENAI_API_KEY=… npm run eval:model -- --base-url https://…/v1 --model NAME [--fast-model NAME] [--job NAME…] [--prices JSON]
 *     [--json FILE] [--compare FILE] [--record FOLDER --about TEXT]
 *
 * `--compare` names figures that `--json` has written before; the table shows what differs from them. `--record` writes each job as a recording for `test/fixtures/recordings`.
 */
import { ensureFirstKey } from '#embedded/first-key.js';
import { startStack } from '#embedded/stack.js';
import { ApiClient } from '#testing/api-client.js';
import { endOf, JOBS, runJob } from '#testing/jobs.js';
import { linesOf, writeRecording } from '#testing/recording.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repairsOf, tableOf, type Results } from './model/measure.js';
import { startRelay, type Call } from './model/relay.js';

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    model: { type: 'string' },
    'fast-model': { type: 'string' },
    job: { type: 'string', multiple: true, default: Object.keys(JOBS) },
    prices: { type: 'string' },
    json: { type: 'string' },
    compare: { type: 'string' },
    record: { type: 'string' },
    about: { type: 'string', default: '' },
  },
});
const { 'base-url': baseUrl, model } = values;
const unknown = values.job.filter((name) => !Object.hasOwn(JOBS, name));
if (!baseUrl || !model || unknown.length > 0) {
  console.error(
    unknown.length > 0
      ? `Unknown job ${unknown.join(', ')}; the jobs are ${Object.keys(JOBS).join(', ')}.`
      : 'Name the endpoint and the model: --base-url URL --model NAME.',
  );
  process.exit(2);
}

/** A local model may need hours for a job. */
const MAX_JOB_MS = 24 * 3_600_000;

/**
 * Number of leading characters that the messages of a call share with the previous call, which a provider's cache can
 * serve.
 */
function sharedCharacters(calls: Call[]): number {
  const texts = calls.map(({ request }) => JSON.stringify(request.messages));
  return texts.reduce((sum, text, at) => {
    const before = texts[at - 1] ?? '';
    let shared = 0;
    while (shared < text.length && text[shared] === before[shared]) shared++;
    return sum + shared;
  }, 0);
}

// Read first, so that a wrong name does not cost a whole evaluation.
const before = values.compare
  ? (JSON.parse(await readFile(values.compare, 'utf8')) as { results: Results }).results
  : {};
const relay = await startRelay(baseUrl);
const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-eval-'));
const { PATH, HOME, OPENAI_API_KEY = 'none' } = process.env;
const stack = await startStack({
  dataDir,
  fewProcesses: true,
  env: {
    PATH,
    HOME,
    LOG_LEVEL: 'error',
    OPENAI_API_KEY,
    OPENAI_BASE_URL: relay.baseUrl,
    OPENAI_MODEL: model,
    ...(values['fast-model'] && { OPENAI_FAST_MODEL: values['fast-model'] }),
    ...(values.prices && { MODEL_PRICES: values.prices }),
  },
});
try {
  const { key } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
  const client = new ApiClient(stack.url, key, MAX_JOB_MS);
  // Otherwise the first run would have the model checked, and the check's calls would count as the next job's.
  await client.post('/api/model/check', {});
  const results: Results = {};
  for (const name of values.job) {
    relay.calls.length = 0;
    const from = performance.now();
    const result = await runJob(client, JOBS[name]!);
    const { run } = result;
    const ends = endOf(result);
    const events = await client.events(run.id, ({ type }) => type === 'done');
    results[name] = {
      ...ends,
      ...repairsOf(events, relay.calls),
      calls: relay.calls.length,
      refusedCalls: relay.calls.filter(({ status }) => status !== 200).length,
      tokensIn: run.usage.input_tokens,
      tokensOut: run.usage.output_tokens,
      tokensCached: relay.calls.reduce((sum, { cached }) => sum + cached, 0),
      sharedCharacters: sharedCharacters(relay.calls),
      cost: run.usage.cost / 1_000_000,
      seconds: Math.round((performance.now() - from) / 100) / 10,
    };
    console.log(name, results[name]);
    if (values.record)
      writeRecording(
        join(values.record, `${name}.json`),
        { job: name, about: values.about, ends },
        relay.calls.map(({ request }) => linesOf(request)),
        relay.calls.map(({ answer }) => answer),
      );
  }
  console.log(tableOf(results, before));
  if (values.json) await writeFile(values.json, `${JSON.stringify({ model, results }, null, 2)}\n`);
} finally {
  await stack.stop();
  await relay.stop();
  await rm(dataDir, { recursive: true, force: true });
}
