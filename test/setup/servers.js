/** Redis and MinIO for the tests, from programs that are already installed. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../dist/libs/embedded/postgres.js';

const READY_MS = 20_000;

export const hasRedis = () => onPath('redis-server');
export const hasMinio = () => minioProgram() !== undefined;

/** @returns {Promise<{ env: Record<string, string>, child?: object, missing?: string }>} */
export async function startRedis(dir) {
  if (!hasRedis()) return { env: {}, missing: 'no redis: redis-server is not on PATH' };
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  args.push('--maxmemory-policy', 'noeviction', '--dir', dir);
  const child = await launch('redis-server', args, {}, join(dir, 'redis.log'), () => ponged(port));
  return { env: { TEST_REDIS_URL: `redis://127.0.0.1:${port}` }, child };
}

/** @returns {Promise<{ env: Record<string, string>, child?: object, missing?: string }>} */
export async function startMinio(dir) {
  const program = minioProgram();
  if (!program) {
    return { env: {}, missing: 'no s3: minio is neither on PATH nor named in SCRIPTORIUM_TEST_MINIO' };
  }
  const [port, consolePort] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${port}`;
  const keys = { user: 'scriptorium', password: randomBytes(16).toString('hex') };
  await mkdir(join(dir, 's3'));
  const args = ['server', join(dir, 's3'), '--quiet', '--address', `127.0.0.1:${port}`];
  args.push('--console-address', `127.0.0.1:${consolePort}`);
  const env = { MINIO_ROOT_USER: keys.user, MINIO_ROOT_PASSWORD: keys.password, MINIO_BROWSER: 'off' };
  const ready = async () => (await fetch(`${endpoint}/minio/health/ready`)).ok;
  const child = await launch(program, args, env, join(dir, 'minio.log'), ready);
  return {
    env: { TEST_S3_ENDPOINT: endpoint, TEST_S3_ACCESS_KEY: keys.user, TEST_S3_SECRET_KEY: keys.password },
    child,
  };
}

function minioProgram() {
  const named = process.env.SCRIPTORIUM_TEST_MINIO;
  // Empty means none, even if one is installed.
  if (named === '') return undefined;
  if (named) {
    if (!existsSync(named)) throw new Error(`SCRIPTORIUM_TEST_MINIO names ${named}, which does not exist`);
    return named;
  }
  const cached = join(homedir(), '.cache/scriptorium/bin/minio');
  if (existsSync(cached)) return cached;
  return onPath('minio') ? 'minio' : undefined;
}

export function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

async function launch(program, args, env, logFile, ready) {
  const log = openSync(logFile, 'w');
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  let ended = false;
  child.once('error', () => (ended = true));
  child.once('exit', () => (ended = true));
  const deadline = Date.now() + READY_MS;
  while (!(await ready().catch(() => false))) {
    if (ended || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${program} did not start:\n${await readFile(logFile, 'utf8')}`);
    }
    await delay(30);
  }
  return child;
}

/** True when a Redis on this port answers PING. */
function ponged(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
  });
}
