import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import { ensureFirstKey, keyFile } from '#embedded/first-key.js';
import { type Stack, startStack } from '#embedded/stack.js';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ApiClient, createApiClient } from '../client/api-client.js';
import { makeFolder } from '../outputs/output-file.js';
import { stackEnvironment } from './environment.js';

export interface Connection {
  client: ApiClient;
  /** Set when the stack was started for this command and ends with it. */
  ownStack?: { logFile: string };
  /** Stops the stack when it was started for this command. */
  close(): Promise<void>;
}

/**
 * Starts a stack that stops when its connection is closed.
 *
 * @param say called when the stack has a problem, or an API key was created
 * @param fail called with the error that ends the stack
 */
export async function startOwnStack(
  dataDir: string,
  log: StackLog,
  say: (message: string) => void,
  fail: (error: Error) => void,
): Promise<Connection> {
  const env = await stackEnvironment(dataDir);
  const stack = await startStack({ dataDir, env, oneProcess: true, onLine: log.write, onTrouble: say });
  void stack.failed.then(fail);
  return ownConnection(stack, dataDir, log, say);
}

async function ownConnection(
  stack: Stack,
  dataDir: string,
  log: StackLog,
  say: (message: string) => void,
): Promise<Connection> {
  const close = async () => {
    await stack.stop();
    log.close();
  };
  try {
    const { key, isNew } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
    if (isNew) say(translate(phrase('cli.tenant_created', { file: keyFile(dataDir) })));
    return { client: createApiClient(stack.url, key), ownStack: { logFile: log.file }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface StackLog {
  file: string;
  write(name: string, line: string): void;
  close(): void;
}

/** Opens the log of a new stack; replaces the previous log. */
export async function openLog(dataDir: string): Promise<StackLog> {
  const folder = join(resolve(dataDir), 'logs');
  await makeFolder(folder);
  const file = join(folder, 'stack.log');
  const stream = createWriteStream(file, { mode: 0o600 });
  // A full disk ends the log; the stack reports the problem.
  stream.on('error', () => undefined);
  return { file, write: (name, line) => void stream.write(`${name} ${line}\n`), close: () => stream.end() };
}
