import { projectRoot } from '#embedded/project-root.js';
import { ApiClient } from '#testing/api-client.js';
import { exampleFiles } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Orchestrators expect a process to end within ten seconds. Five times that, for busy machines. */
const GRACE_SECONDS = 50;

const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="cut.md"\r\n\r\n# Cut\n';
const END = '\r\n--b--\r\n';

describe('draining a gateway', () => {
  let stack: TestStack;
  let gateway: ChildProcess;
  let url: string;
  beforeAll(async () => {
    stack = await TestStack.start({ fewProcesses: true });
  });
  beforeEach(async () => {
    const main = join(projectRoot(), 'dist/apps/gateway/src/main.js');
    gateway = spawn(process.execPath, [main], {
      env: { ...stack.env, GATEWAY_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: gateway.stdout! })) {
      const { event, ...fields } = JSON.parse(line) as { event?: string; url?: string };
      if (event !== 'ready') continue;
      url = fields.url!.replace(/\/+$/, '');
      break;
    }
    gateway.stdout!.resume();
  });
  afterEach(() => void gateway.kill('SIGKILL'));
  afterAll(() => stack.stop());

  /** Stops the gateway; returns its exit code, or a message that it did not end in time. */
  async function stop(): Promise<unknown> {
    const ended = once(gateway, 'exit', { signal: AbortSignal.timeout(GRACE_SECONDS * 1_000) });
    gateway.kill('SIGTERM');
    return ended.then(
      ([code]) => code as number,
      () => `still there after ${GRACE_SECONDS} s`,
    );
  }

  /**
   * Starts an upload whose first part the gateway has received; `answer` is everything received until the connection
   * ends.
   */
  async function beginUpload(tenant: ApiClient) {
    const sessionId = String((await tenant.post('/api/sessions', {})).json.id);
    const { hostname, port } = new URL(url);
    const upload = connect(Number(port), hostname);
    await once(upload, 'connect');
    const lines = [
      `POST /api/sessions/${sessionId}/inputs HTTP/1.1`,
      'host: gateway',
      `authorization: Bearer ${tenant.key}`,
      'content-type: multipart/form-data; boundary=b',
      `content-length: ${PART.length + END.length}`,
      'expect: 100-continue',
    ];
    upload.write(`${lines.join('\r\n')}\r\n\r\n`);
    // 100 (Continue): the gateway has the request.
    await once(upload, 'data');
    await new Promise((resolve) => upload.write(PART, resolve));
    let text = '';
    upload.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    const answer = new Promise<string>((resolve) => upload.once('close', () => resolve(text)));
    return { upload, sessionId, answer };
  }
  it('lets an active upload finish, and ends event streams, whose clients continue elsewhere', async () => {
    const tenant = await stack.tenant();
    const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
    await tenant.decision(run.id);
    const headers = { authorization: `Bearer ${tenant.key}` };
    const reader = (await fetch(`${url}/api/agents/runs/${run.id}/events`, { headers })).body!.getReader();
    await reader.read();
    const { upload, sessionId, answer } = await beginUpload(tenant);

    const exit = stop();
    // The end of the stream shows that the gateway is stopping.
    for (let isOpen = true; isOpen;)
      isOpen = await reader.read().then(
        ({ done }) => !done,
        () => false,
      );
    upload.write(END);
    expect(await answer).toContain('HTTP/1.1 201');
    expect(await exit).toBe(0);
    const { items } = (await tenant.get(`/api/sessions/${sessionId}/inputs`)).json;
    expect(items).toMatchObject([{ name: 'cut.md' }]);
    const asked = ({ type }: { type: string }) => type === 'decision_required';
    expect((await tenant.events(run.id, asked)).some(asked)).toBe(true);
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('aborts a stalled upload, which leaves nothing behind, and exits with 0 in time', async () => {
    const tenant = await stack.tenant();
    const { sessionId, answer } = await beginUpload(tenant);
    expect(await stop()).toBe(0);
    expect(await answer).not.toContain('HTTP/1.1 2');
    expect((await tenant.get(`/api/sessions/${sessionId}/inputs`)).json.items).toEqual([]);
    expect((await tenant.upload(sessionId, { 'cut.md': '# Whole\n' })).status).toBe(201);
  });

  it('exits with 0 in time if nothing is open', async () => {
    expect((await new ApiClient(url, null).get('/api/health/')).status).toBe(200);
    expect(await stop()).toBe(0);
  });
});
