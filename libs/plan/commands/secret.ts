import { withoutLineEnd } from '#contracts/text.js';
import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { type PrintOptions, printRead, withPrintOptions } from '#cli/commands/print-result.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

type Secret = Schemas['Secret'];

/** `scriptorium secret …`: secrets that HTTP requests of plans use by name. */
export function registerSecret(secret: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(secret.command(usage).description(description), 'print JSON');
  sub('list', 'List the names of the secrets and their hosts; values are never shown').action(list);
  sub('set <name>', 'Store a secret or replace its value; it is read from standard input or typed')
    .option('--host <host...>', 'hosts to which requests may send it (required for a new secret)')
    .action(set);
  sub(
    'hosts [host...]',
    'List the hosts that plans made by a model may read without approval, or replace them',
  )
    .option('--none', 'remove all')
    .action(hosts);
  sub('remove <name>', 'Delete a secret; requests that use it fail').action(remove);
}

const list = (options: PrintOptions) => printRead(options, secretsOf, render);

async function set(name: string, options: PrintOptions & { host?: string[] }): Promise<void> {
  const value = await readSecret(translate(phrase('out.value_of', { name })));
  const hosts = options.host;
  await printRead(
    options,
    async (client) => {
      const known = (await secretsOf(client)).find((secret) => secret.name === name);
      if (known) {
        const params = { path: { credential_id: known.id } };
        const body = { value, ...(hosts && { hosts }) };
        return [await unwrap(client.PATCH('/api/secrets/{credential_id}', { params, body }))];
      }
      if (!hosts) throw new CliError(phrase('cli_error.new_secret', { name }));
      return [await unwrap(client.POST('/api/secrets', { body: { name, value, hosts } }))];
    },
    render,
  );
}

async function hosts(given: string[], options: PrintOptions & { none?: boolean }): Promise<void> {
  const isChange = given.length > 0 || options.none === true;
  await printRead(
    options,
    async (client) =>
      (isChange
        ? await unwrap(client.PATCH('/api/plan-hosts', { body: { hosts: given } }))
        : await unwrap(client.GET('/api/plan-hosts'))
      ).hosts,
    (listed) => listed.map((host) => `${host}\n`).join(''),
  );
}

const remove = (name: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      const known = (await secretsOf(client)).find((secret) => secret.name === name);
      if (!known) throw new CliError(phrase('cli_error.no_such_secret', { name }));
      await unwrap(
        client.DELETE('/api/secrets/{credential_id}', { params: { path: { credential_id: known.id } } }),
      );
      return secretsOf(client);
    },
    render,
  );

const secretsOf = async (client: ApiClient): Promise<Secret[]> =>
  (await unwrap(client.GET('/api/secrets'))).items;

const render = (secrets: Secret[]): string =>
  secrets.length === 0
    ? `${translate(phrase('out.no_secrets', { command: 'scriptorium secret set' }))}\n`
    : secrets.map(({ name, hosts }) => `${name}  ${hosts.join(', ')}\n`).join('');

/** Streams from which a secret is read, and on which it is asked for. */
interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Reads a secret: all of the input without its last line end, or a line that is typed at a terminal and not shown.
 * A secret is never a command-line argument, because other users of the machine can read arguments.
 *
 * @throws CliError without a value
 */
export async function readSecret(
  prompt: string,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const value = input.isTTY ? await typed(prompt, input, output) : withoutLineEnd(await text(input));
  if (value === '') throw new CliError(phrase('cli_error.no_value'));
  return value;
}

async function typed(
  prompt: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    output.write(`${prompt}: `);
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    return await Promise.race([terminal.question(''), closed]);
  } finally {
    terminal.close();
    output.write('\n');
  }
}
