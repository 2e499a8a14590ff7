import { tokensOf } from '#llm/tokens.js';
import { BookModel, reviewWith } from '#testing/book-model.js';
import { JOBS, runJob } from '#testing/jobs.js';
import { startModelStub, type ModelStub, type StubReply, type StubRequest } from '#testing/model-stub.js';
import { linesOf, readRecording, requestsOf } from '#testing/recording.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { join } from 'node:path';

const MOST_CALLS = 20;
/** Maximum cost of a careless model, as a multiple of the recorded job of a good one. */
const MOST_COST = 5;

/** Returns the tokens of all messages of the calls and of their answers. */
const tokensOfCalls = (requests: string[], answers: StubReply[]) =>
  [...requests, ...answers.map((answer) => ('text' in answer ? (answer.text ?? '') : ''))].reduce(
    (sum, text) => sum + tokensOf(text),
    0,
  );

function cleanCost(job: string): number {
  const recording = readRecording(join(process.cwd(), 'test/fixtures/recordings', `${job}.json`));
  const requests = requestsOf(recording).map((lines) => lines.join('\n'));
  return tokensOfCalls(
    requests,
    recording.exchanges.map(({ answer }) => answer),
  );
}

/** A model that makes no progress: the run asks a person or ends. The document agent has `no-progress.spec.ts`. */
describe('a careless model', () => {
  let stack: LeasedStack;
  let stub: ModelStub;
  let respond: (request: StubRequest) => StubReply;

  beforeAll(async () => {
    stub = await startModelStub({ respond: (request) => respond(request) });
    stack = await leasedStack('model', { model: stub.baseUrl });
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  /** Runs a job; each decision gets its default answer. */
  async function callsOf(name: string) {
    const { answer: _, ...job } = JOBS[name]!;
    const before = stub.requests.length;
    const answers: StubReply[] = [];
    const reply = respond;
    respond = (request) => {
      const answer = reply(request);
      answers.push(answer);
      return answer;
    };
    const { run, decisions } = await runJob(await stack.tenant(), job);
    const requests = stub.requests.slice(before);
    const texts = requests.map((request) => linesOf(request).join('\n'));
    const cost = tokensOfCalls(texts, answers) / cleanCost(name);
    return { run, decisions, calls: requests.length, cost };
  }

  it.each([
    ['chapter', 'talks instead of answering', () => ({ text: 'I would first look at the sources.' })],
    ['article', 'talks instead of answering', () => ({ text: 'I would first look at the sources.' })],
    ['plan-average', 'talks instead of answering', () => ({ text: 'I would first look at the file.' })],
    ['chapter', 'answers with empty JSON', () => ({ text: '{}' })],
    ['article', 'answers with empty JSON', () => ({ text: '{}' })],
    ['plan-average', 'answers with empty JSON', () => ({ text: '{}' })],
  ])('X13 in the job %s that %s makes the run ask a person', async (job, _, answer) => {
    respond = answer;
    const { decisions, calls, cost } = await callsOf(job);
    expect(decisions[0]).toBe('model_failed');
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(cost).toBeLessThanOrEqual(MOST_COST);
  });

  it('B12 of a chapter that is never content with it ends within the calls of its revisions', async () => {
    const reviews = Array.from({ length: 2 * MOST_CALLS }, () => reviewWith(30, true));
    const model = new BookModel();
    model.will('review_chapter', ...reviews);
    respond = model.respond;
    const { run, calls, cost } = await callsOf('chapter');
    expect(run.status).toBe('completed');
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(cost).toBeLessThanOrEqual(MOST_COST);
  });
});
