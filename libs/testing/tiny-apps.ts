import { workerNames } from '#contracts/queues.js';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A minimal app: answers health checks, reports readiness, ends on SIGTERM. */
const TINY_GATEWAY = `
  import { createServer } from 'node:http';
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/api/health/' ? 200 : 404;
    response.end(JSON.stringify(process.env));
  });
  server.listen(Number(process.env.GATEWAY_PORT), process.env.GATEWAY_HOST, () =>
    console.log(JSON.stringify({ event: 'ready', url: 'http://127.0.0.1:' + server.address().port })));
  process.on('SIGTERM', () => process.exit(0));`;
export const TINY_WORKER = `
  console.log(JSON.stringify({ event: 'ready', database: process.env.DATABASE_URL, metrics: process.env.METRICS_PORT }));
  process.on('SIGTERM', () => process.exit(0));
  setInterval(() => {}, 1000);`;

/** Creates a folder with minimal compiled apps of a stack in `apps/`. */
export async function folderWithApps(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-stack-'));
  // If run by root, PostgreSQL uses another account, which must be able to traverse the folder.
  await chmod(dir, 0o711);
  for (const app of ['gateway', ...workerNames]) {
    await mkdir(join(dir, 'apps', app, 'src'), { recursive: true });
    await writeFile(join(dir, 'apps', app, 'src/main.js'), app === 'gateway' ? TINY_GATEWAY : TINY_WORKER);
  }
  await writeFile(join(dir, 'apps/package.json'), '{ "type": "module" }');
  return dir;
}
