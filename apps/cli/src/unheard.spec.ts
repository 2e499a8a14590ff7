import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cliEnv, launchCli } from '#testing/cli.js';

describe('a command whose output pipe is closed', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-unheard-'));
    await writeFile(join(dir, 'a.md'), '# A\n\n![x](none.png)\n');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('finishes its work when standard error is closed', async () => {
    const child = launchCli(['convert', 'a.md', '-o', 'a.docx'], { cwd: dir });
    child.stderr.destroy();
    await once(child, 'close');
    // An image is missing.
    expect(child.exitCode).toBe(2);
    await access(join(dir, 'a.docx'));
  });

  it('exits silently when standard output is closed', async () => {
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"items":[],"next_cursor":null}'),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = launchCli(['decisions'], { cwd: dir, env: cliEnv({ baseUrl, key: 'scr_x' }) });
    child.stdout.destroy();
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
    server.close();
    expect({ said, code: child.exitCode }).toEqual({ said: '', code: 0 });
  });
});
