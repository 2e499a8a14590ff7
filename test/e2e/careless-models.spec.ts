import { BookModel, reviewWith } from '#testing/book-model.js';
import { JOBS, runJob } from '#testing/jobs.js';
import { startModelStub, type ModelStub, type StubReply, type StubRequest } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';

const MOST_CALLS = 20;

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
    const { run, decisions } = await runJob(await stack.tenant(), job);
    return { run, decisions, calls: stub.requests.length - before };
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
    const { decisions, calls } = await callsOf(job);
    expect(decisions[0]).toBe('model_failed');
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });

  it('B12 of a chapter that is never content with it ends within the calls of its revisions', async () => {
    const reviews = Array.from({ length: 2 * MOST_CALLS }, () => reviewWith(30, true));
    const model = new BookModel();
    model.will('review_chapter', ...reviews);
    respond = model.respond;
    const { run, calls } = await callsOf('chapter');
    expect(run.status).toBe('completed');
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });
});
