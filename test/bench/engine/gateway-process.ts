import { freePort } from '#embedded/postgres.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

export interface GatewayProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the gateway of this checkout as a separate process, and waits until it responds.
 *
 * @param env settings in addition to database, store and port
 * @param register module to load first
 */
export async function startGatewayProcess(
  databaseUrl: string,
  storageDir: string,
  env: Record<string, string> = {},
  register?: URL,
): Promise<GatewayProcess> {
  const port = await freePort();
  const program = fileURLToPath(new URL('../../../apps/gateway/src/main.js', import.meta.url));
  const args = register === undefined ? [program] : ['--import', register.href, program];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      STORAGE_DIR: storageDir,
      GATEWAY_PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '100000000',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await fetch(`${url}/api/health/live`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the gateway does not come up');
    await delay(PAUSE_MS);
  }
  return {
    url,
    pid: child.pid!,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
