import { endOf, JOBS, runJob } from '#testing/jobs.js';
import { startModelStub, type ModelStub, type StubReply } from '#testing/model-stub.js';
import { readRecording, Replay, requestsOf, writeRecording } from '#testing/recording.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), 'test/fixtures/recordings');

/**
 * Replays whole jobs that were answered once by a model or by hand. A changed prompt fails here; `RERECORD=1` writes the new requests
 * into the recordings, so that the change can be read in the diff. The answers stay: check that they still answer the new requests.
 */
describe('recorded jobs', () => {
  let stack: LeasedStack;
  let stub: ModelStub;
  let respond: Replay['respond'] = (): StubReply => ({ status: 400 });

  beforeAll(async () => {
    stub = await startModelStub({ respond: (request) => respond(request) });
    stack = await leasedStack('model', { model: stub.baseUrl });
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  it.each(readdirSync(FOLDER))('%s ends as recorded, with the recorded requests', async (name) => {
    const file = join(FOLDER, name);
    const recording = readRecording(file);
    const replay = new Replay(recording);
    respond = replay.respond;
    const { exchanges: _, ends: __, ...head } = recording;
    const job = JOBS[recording.job]!;
    const given = [...(recording.answers ?? [])];
    const answer: typeof job.answer = (asked) => given.shift() ?? job.answer?.(asked) ?? asked.default_answer;
    const ends = endOf(await runJob(await stack.tenant(), { ...job, answer }));
    if (process.env['RERECORD'] === '1') {
      const answers = recording.exchanges.slice(0, replay.asked.length).map(({ answer }) => answer);
      writeRecording(file, { ...head, ends }, replay.asked, answers);
    }
    const { exchanges, ends: expected } = readRecording(file);
    expect(replay.asked).toEqual(requestsOf({ exchanges }));
    expect(ends).toEqual(expected);
  });
});
