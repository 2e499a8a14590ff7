import { translate, renderText } from '../language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { send } from '../client/api-client.js';
import { sayOnTerminal } from '../progress/line-progress.js';
import { type PrintOptions, printRead, withPrintOptions } from './print-result.js';
import { wholeNumber } from './shared-options.js';

type Model = Schemas['ModelSettings'];

/** `scriptorium model …`: shows, checks and sets the model endpoint. */
export function registerModel(model: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(model.command(usage).description(description), 'print JSON');
  sub('show', 'Show which models runs use, what they can do, and what follows from it').action(show);
  sub('check', 'Ask the endpoint what its models can do; costs a few hundred tokens').action(check);
  sub('set <base-url> <model>', 'Use an endpoint of your own; its key is read from SCRIPTORIUM_MODEL_KEY')
    .option('--fast <model>', 'model for planning and review (default: the model)')
    .option('--embedding <model>', 'model that embeds sources and queries (default: the installation’s)')
    .option('--context-tokens <number>', 'context window (default: what the server reports)', wholeNumber(9))
    .option('--prices <json>', 'prices by model: {"MODEL": {"input": 2500000, "output": 10000000}}')
    .action(set);
  sub('reset', 'Delete your endpoint with its key, and use the one of the installation').action(reset);
}

const show = (options: PrintOptions) =>
  printRead(options, (client) => unwrap(client.GET('/api/model')), render);

const check = (options: PrintOptions) =>
  printRead(
    options,
    (client) => {
      sayOnTerminal(phrase('cli.asking_models'));
      return unwrap(client.POST('/api/model/check', { fetch: send }));
    },
    render,
  );

interface SetOptions extends PrintOptions {
  fast?: string;
  embedding?: string;
  contextTokens?: number;
  prices?: string;
}

async function set(baseUrl: string, model: string, options: SetOptions): Promise<void> {
  const key = process.env['SCRIPTORIUM_MODEL_KEY'];
  const body = {
    base_url: baseUrl,
    model,
    ...(key ? { api_key: key } : {}),
    ...(options.fast === undefined ? {} : { fast_model: options.fast }),
    ...(options.embedding === undefined ? {} : { embedding_model: options.embedding }),
    ...(options.contextTokens === undefined ? {} : { context_tokens: options.contextTokens }),
    ...(options.prices === undefined ? {} : { prices: parsePrices(options.prices) }),
  };
  await printRead(options, (client) => unwrap(client.POST('/api/model/endpoint', { body })), render);
}

const reset = (options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      await unwrap(client.DELETE('/api/model/endpoint'));
      return unwrap(client.GET('/api/model'));
    },
    render,
  );

function parsePrices(text: string): Schemas['NewModelEndpoint']['prices'] {
  try {
    return JSON.parse(text) as Schemas['NewModelEndpoint']['prices'];
  } catch {
    throw new CliError(
      phrase('cli_error.prices_json', { example: '{"MODEL": {"input": 2500000, "output": 10000000}}' }),
    );
  }
}

function render({ source, endpoint, models, embedding }: Model): string {
  const search = renderEmbedding(embedding);
  if (source === 'none')
    return `${translate(phrase('out.model_none', { command: 'scriptorium model set' }))}\n${search}\n`;
  const from = endpoint
    ? phrase(endpoint.has_key ? 'out.model_of_tenant_with_key' : 'out.model_of_tenant', {
        url: endpoint.base_url,
      })
    : phrase('out.model_of_installation');
  return [translate(from), ...models.flatMap(renderModel), '', search, ''].join('\n');
}

function renderEmbedding(embedding: Model['embedding']): string {
  if (!embedding) return translate(phrase('out.search_words'));
  const code = embedding.source === 'tenant' ? 'out.search_of_tenant' : 'out.search_of_installation';
  return translate(phrase(code, { name: embedding.name }));
}

function renderModel({
  name,
  uses,
  facts,
  consequences,
  checked_at,
  check_failed,
}: Model['models'][number]): string[] {
  const unknown = phrase('out.unknown');
  const { context_tokens: window, output_tokens: output, ...abilities } = facts;
  const shown = Object.entries(abilities).map(
    ([ability, can]) =>
      `${translate(phrase(`model_ability.${ability as keyof typeof abilities}`))} ${can === null ? '?' : translate(phrase(can ? 'out.yes' : 'out.no'))}`,
  );
  return [
    '',
    `${name}  (${uses.map((use) => translate(phrase(`out.model_use.${use}`))).join(', ')})`,
    `  ${translate(phrase('out.model_limits', { window: window ?? unknown, answer: output ?? unknown }))}; ${shown.join(', ')}`,
    `  ${translate(
      checked_at === null
        ? phrase('out.model_unchecked', { command: 'scriptorium model check' })
        : phrase('out.model_checked', { at: checked_at }),
    )}`,
    ...(check_failed === null
      ? []
      : [`  ${translate(phrase('out.model_check_failed', { problem: check_failed }))}`]),
    ...consequences.map(
      ({ code, text }) => `  - ${renderText({ code: `model_consequence.${code}`, params: {} }, text)}`,
    ),
  ];
}
