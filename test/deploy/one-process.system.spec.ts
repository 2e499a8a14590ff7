import { ensureFirstKey } from '#embedded/first-key.js';
import { startStack, type Stack } from '#embedded/stack.js';
import { succeedCli } from '#testing/cli.js';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Maximum number of connections of the process. */
const CONNECTIONS = 10;

describe('the process that runs all apps on one machine', () => {
  let dir: string;
  let stack: Stack | undefined;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'one-process-'));
    // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
    await chmod(dir, 0o711);
  });
  afterEach(async () => {
    await stack?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('writes documents with at most ten connections to PostgreSQL', async () => {
    const dataDir = join(dir, '.scriptorium');
    stack = await startStack({ dataDir, env: {}, oneProcess: true });
    const url = String(stack.env['DATABASE_URL']);
    await ensureFirstKey(url, dataDir);
    const admin = new pg.Client(url);
    await admin.connect();
    try {
      const names = ['a', 'b', 'c'];
      for (const name of names) await writeFile(join(dir, `${name}.md`), `# ${name}\n\nThe pump stopped.\n`);
      await Promise.all(
        names.map((name) => succeedCli(['write', `${name}.md`, '-o', `${name}.docx`], { cwd: dir })),
      );
      // Pools close a connection only after it was unused for a minute.
      const { rows } = await admin.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      expect(rows.length).toBeLessThanOrEqual(CONNECTIONS);
    } finally {
      await admin.end();
    }
  });
});
