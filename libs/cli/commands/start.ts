import { isDigits } from '#contracts/text.js';
import { translate } from '../language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { workerNames } from '#contracts/queues.js';
import { ensureFirstKey, keyFile } from '#embedded/first-key.js';
import { renderLogLine } from '#embedded/render-log.js';
import { type Stack, startStack } from '#embedded/stack.js';
import { type Command, InvalidArgumentError } from 'commander';
import { relative } from 'node:path';
import pc from 'picocolors';
import { CliError } from '../cli-error.js';
import { dataDirOption } from '../stack/data-dir.js';
import { adminPasswordFile, stackEnvironment } from '../stack/environment.js';
import { startFailure } from '../stack/connect.js';
import { watchService } from '../stack/watch-service.js';
import { aborted, endOnSignal, failureOf } from '../stack/signals.js';

interface StartOptions {
  dataDir: string;
  port?: number;
  workers: Record<string, number>;
}

const MAX_WORKERS = 32;
const NAME_WIDTH = 14;

/** `scriptorium start` and `npm start`: runs the whole system in the foreground, until Ctrl-C. */
export function registerStart(command: Command): void {
  command
    .option('--port <number>', 'port of the gateway (default: GATEWAY_PORT, otherwise a free port)', readPort)
    .option(
      '--workers <list>',
      'number of processes per worker, such as agent-runner=2,converter=2 (default: one process for everything)',
      readWorkers,
      {},
    )
    .addOption(dataDirOption())
    .action(start);
}

async function start({ dataDir, port, workers }: StartOptions): Promise<void> {
  const onLine = (name: string, line: string) =>
    process.stdout.write(`${renderLogLine(name, line, NAME_WIDTH)}\n`);
  const say = (msg: string, level = 'info') =>
    onLine('stack', JSON.stringify({ level, time: new Date().toISOString(), msg }));
  const { signal, fail } = endOnSignal(say);
  const env = await stackEnvironment(dataDir);
  const oneProcess = Object.keys(workers).length === 0;
  const stack = await startStack({ dataDir, env, workers, oneProcess, gatewayPort: port, onLine }).catch(
    (error: Error) => {
      throw new CliError(phrase('cli_error.start_failed', { reason: startFailure(error) }));
    },
  );
  void stack.failed.then(fail);
  const endWatching = watchService(stack.url, (msg) => say(msg, 'warn'));
  try {
    if (!signal.aborted) process.stdout.write(await banner(stack, dataDir));
    await aborted(signal);
  } finally {
    await endWatching();
    await stack.stop();
  }
  say('stopped');
  const failure = failureOf(signal);
  if (failure) throw failure;
}

async function banner(stack: Stack, dataDir: string): Promise<string> {
  const { key, isNew } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
  const near = (file: string) => relative(process.cwd(), file) || file;
  const user = stack.env['ADMIN_USER'] || 'admin';
  const password = process.env['ADMIN_PASSWORD']
    ? 'ADMIN_PASSWORD'
    : phrase('start.password_in', { file: near(adminPasswordFile(dataDir)) });
  const queues = phrase('start.sign_in_as', { url: `${stack.url}/admin/queues`, user, password });
  return [
    '',
    `  ${pc.bold(translate(phrase('start.runs_at')))} ${pc.cyan(stack.url)}`,
    '',
    ...(await studioLines(stack.url, key, near(keyFile(dataDir)))),
    row(phrase('start.api'), `${stack.url}/api/docs`),
    row(phrase('start.api_key'), translate(phrase('start.in_file', { file: near(keyFile(dataDir)) }))),
    row(phrase('start.queues'), translate(queues)),
    ...(isNew ? ['', `  ${translate(phrase('start.tenant_created'))}`] : []),
    '',
    `  ${translate(phrase('start.stop'))}`,
    '\n',
  ].join('\n');
}

/** Width of the names in the banner, in each language. */
const LABEL_WIDTH = 14;
const row = (label: Phrase, text: string): string => `  ${translate(label).padEnd(LABEL_WIDTH)} ${text}`;

/**
 * Returns the lines about signing in to the studio. Only a terminal gets the link: it is a secret, and other
 * output may be stored.
 */
async function studioLines(url: string, key: string, file: string): Promise<string[]> {
  const label = phrase('start.studio');
  if (!process.stdout.isTTY)
    return [row(label, translate(phrase('start.sign_in_with_key', { url: `${url}/`, file })))];
  return [
    row(label, pc.cyan(await signInLink(url, key))),
    `  ${' '.repeat(LABEL_WIDTH)} ${pc.dim(translate(phrase('start.link_once')))}`,
  ];
}

function readPort(text: string): number {
  const port = Number(text);
  if (!isDigits(text) || port > 65_535) throw new InvalidArgumentError(translate(phrase('usage.port')));
  return port;
}

function readWorkers(text: string): Record<string, number> {
  const entries = text.split(',').map((entry): [string, number] => {
    const [name = '', count = ''] = entry.split('=');
    if (!workerNames.some((worker) => worker === name))
      throw new InvalidArgumentError(
        translate(phrase('usage.unknown_worker', { name, names: workerNames.join(', ') })),
      );
    if (!isDigits(count) || Number(count) > MAX_WORKERS) {
      throw new InvalidArgumentError(translate(phrase('usage.worker_count', { name, max: MAX_WORKERS })));
    }
    return [name, Number(count)];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns a URL that signs a browser in once, within five minutes, with the scopes of an API key; the URL of
 * the studio's start page if the service creates none.
 *
 * @param url of the gateway
 */
async function signInLink(url: string, apiKey: string): Promise<string> {
  const response = await fetch(`${url}/api/studio/sign-in-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) return `${url}/`;
  const { path } = (await response.json()) as { path: string };
  return url + path;
}
