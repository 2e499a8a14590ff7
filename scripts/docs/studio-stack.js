/** Starts the whole embedded stack and signs a browser in to its studio, for the pictures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../dist/libs/embedded/postgres.js';

const root = join(import.meta.dirname, '../..');

/** Starts the stack with an empty data folder. `stop` ends it and removes the folder. @param settings environment variables */
export async function startStack(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-pictures-'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), 'start'], {
    cwd: folder,
    env: { ...process.env, ...settings, GATEWAY_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ctrl-C')) break;
  child.stdout.resume();
  return {
    folder,
    key: readFileSync(join(folder, '.scriptorium/api-key'), 'utf8').trim(),
    adminPassword: readFileSync(join(folder, '.scriptorium/admin-password'), 'utf8').trim(),
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGINT');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a new page of a browser that is signed in to the studio. `options` are passed to the browser's context. */
export async function openSignedIn(browser, { url, key }, options) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' };
  await context.request.post(`${url}/api/studio/sign-in`, { headers });
  return context.newPage();
}
