import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';

const FILES = {
  'good.md': '# Dock\n\nThe rope is 20 m long.\n',
  'bad.ipynb': '{"cells": [',
  'worse.docx': 'no archive',
};

describe('a file that cannot be read among others', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  it('D4 causes a question; if it is omitted, the document has a note in its place', async () => {
    const sessionId = await tenant.sessionWith(FILES);
    const runId = (await tenant.startRun(sessionId)).id;
    const decision = await tenant.decision(runId);
    expect(decision).toMatchObject({
      decision_type: 'unreadable_files',
      default_answer: { action: 'leave_out' },
      details: { files: [{ name: 'bad.ipynb' }, { name: 'worse.docx' }] },
    });
    const path = `/api/decisions/${decision.id}/answer`;
    expect((await tenant.post(path, { action: 'perhaps' })).json.code).toBe('invalid_answer');
    expect((await tenant.post(path, { action: 'leave_out' })).status).toBe(200);
    await tenant.completed(runId);
    const manuscript = await tenant.manuscript(sessionId);
    expect(manuscript).toContain('The rope is 20 m long.');
    expect(manuscript).toContain(
      'This file was left out, because it cannot be read: bad.ipynb is not a notebook',
    );
    expect(manuscript).toContain(
      'This file was left out, because it cannot be read: worse.docx is not a Word',
    );
  });

  it('D4 ends the run if the answer requests it, or if there is no other source', async () => {
    const sessionId = await tenant.sessionWith(FILES);
    const runId = (await tenant.startRun(sessionId)).id;
    const { id } = await tenant.decision(runId);
    await tenant.post(`/api/decisions/${id}/answer`, { action: 'abort' });
    await tenant.events(runId);
    const { status, error } = await tenant.run(runId);
    expect([status, error?.code]).toEqual(['failed', 'extraction_failed']);
    const alone = await tenant.startRun(await tenant.sessionWith({ 'bad.ipynb': FILES['bad.ipynb'] }));
    await tenant.events(alone.id);
    expect((await tenant.run(alone.id)).error?.code).toBe('extraction_failed');
  });

  it('B8 is named in the ledger without a question if its type is not read', async () => {
    const sessionId = await tenant.sessionWith({
      'good.md': FILES['good.md'],
      'setup.exe': 'MZ\0',
      'tune.mp3': '\0',
    });
    const runId = (await tenant.startRun(sessionId)).id;
    await tenant.completed(runId);
    const { json } = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    const named = (json.files as { name: string; coverage: number; inventory?: object }[]).slice(1);
    expect(named).toMatchObject([
      { name: 'setup.exe', inventory: { left_out: 1, entries: [{ outcome: 'left_out' }] } },
      { name: 'tune.mp3', coverage: 1, inventory: { left_out: 1 } },
    ]);
    expect(json.coverage).toBe(1);
  });

  it('D4 never stops the upload of a folder by a command', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-unreadable-'));
    try {
      await mkdir(join(dir, 'in'));
      for (const [name, content] of Object.entries(FILES)) await writeFile(join(dir, 'in', name), content);
      const args = ['write', 'in', '-o', 'o.docx', '--md', 'o.md', '--answer', 'action=leave_out'];
      await succeedCli(args, { cwd: dir, env: cliEnv(tenant) });
      expect(await readFile(join(dir, 'o.md'), 'utf8')).toContain('because it cannot be read: bad.ipynb');
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
