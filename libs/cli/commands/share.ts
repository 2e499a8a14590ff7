import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { type Command, InvalidArgumentError } from 'commander';
import { translate } from '../language.js';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from './print-result.js';
import { wholeNumber } from './shared-options.js';

const SHARES = '/api/sessions/{session_id}/shares';
const DAY_MS = 86_400_000;
/** Subtracted from the end of a link, because clocks differ and the service has a limit. */
const CLOCK_MS = 60_000;

interface NewShare {
  result: { kind: string; name: string };
  export?: string;
  days: number;
}

/** `scriptorium share …`: links by which anyone can read a result, or answer a decision, without an account. */
export function registerShare(command: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(command.command(usage).description(description), 'print JSON');
  sub('add <session>', 'Create a link to a text or a file, and print its address, which is shown once')
    .option('--result <kind/name>', 'the text: the link shows its newest version', resultOf, {
      kind: 'document',
      name: 'manuscript',
    })
    .option('--export <id>', 'an exported file instead, exp_…')
    .option('--days <number>', 'days until the link ends, at most 90', wholeNumber(3), 30)
    .action(add);
  sub('decision <decision>', 'Create a link that answers a decision once').action(addToDecision);
  sub('list <session>', 'List the links that have not ended').action(list);
  sub('remove <session> <link>', 'End a link').action(remove);
}

function resultOf(typed: string): NewShare['result'] {
  const [kind = '', name = '', ...rest] = typed.split('/');
  if (kind !== '' && name !== '' && rest.length === 0) return { kind, name };
  throw new InvalidArgumentError('Such as article/article.');
}

const add = (session_id: string, { result, export: export_id, days, ...options }: PrintOptions & NewShare) =>
  printRead(
    options,
    async (client) => {
      const until = new Date(Date.now() + days * DAY_MS - CLOCK_MS).toISOString();
      const body = { ...(export_id === undefined ? { result } : { export_id }), until };
      const link = await unwrap(client.POST(SHARES, { params: { path: { session_id } }, body }));
      return { ...link, url: client.url + link.path };
    },
    ({ url }) => `${url}\n`,
  );

const addToDecision = (decision_id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      const params = { path: { decision_id } };
      const link = await unwrap(client.POST('/api/decisions/{decision_id}/links', { params }));
      return { ...link, url: client.url + link.path };
    },
    ({ url }) => `${url}\n`,
  );

const list = (session_id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => (await unwrap(client.GET(SHARES, { params: { path: { session_id } } }))).items,
    (links) => (links.length === 0 ? `${translate(phrase('out.no_links'))}\n` : renderLines(line)(links)),
  );

const line = ({ id, kind, name, export_id, expires_at }: Schemas['Share']) =>
  `${id}  ${export_id ?? `${kind}/${name}`}  ${expires_at}`;

const remove = (session_id: string, share_id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      const params = { path: { session_id, share_id } };
      await unwrap(client.DELETE(`${SHARES}/{share_id}`, { params }));
      return { id: share_id };
    },
    ({ id }) => `${id}\n`,
  );
