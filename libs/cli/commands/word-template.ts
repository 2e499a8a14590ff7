import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Command } from 'commander';
import { basename } from 'node:path';
import { upload } from '../client/multipart.js';
import { translate } from '../language.js';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from './print-result.js';

type WordTemplate = Schemas['WordTemplate'];

/** `scriptorium word-template …`: Word files whose styles, headers, footers and page setup documents take. */
export function registerWordTemplate(command: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(command.command(usage).description(description), 'print JSON');
  sub('list', 'List the Word templates').action(list);
  sub('add <file>', 'Upload a Word file as a template, in place of the template of that name')
    .option(
      '--name <name>',
      'name of the template (default: that of the file); "default" applies to all documents',
    )
    .action(add);
  sub('remove <template>', 'Delete a Word template; Word files that were made with it stay').action(remove);
}

const list = (options: PrintOptions) =>
  printRead(
    options,
    async (client) => (await unwrap(client.GET('/api/word-templates'))).items,
    (templates) =>
      templates.length === 0
        ? `${translate(phrase('out.no_word_templates', { command: 'scriptorium word-template add' }))}\n`
        : renderLines(line)(templates),
  );

const add = (file: string, { name, ...options }: PrintOptions & { name?: string }) =>
  printRead(
    options,
    (client) =>
      upload(client, '/api/word-templates', {
        params: { query: name === undefined ? {} : { name } },
        parts: [{ name: 'file', filename: basename(file), path: file }],
      }),
    (template) =>
      [
        line(template),
        ...template.report.missing_styles.map(
          (style) => `  ${translate(phrase('out.style_missing', { style }))}`,
        ),
        '',
      ].join('\n'),
  );

const remove = (id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      const params = { path: { word_template_id: id } };
      await unwrap(client.DELETE('/api/word-templates/{word_template_id}', { params }));
      return { id };
    },
    ({ id: removed }) => `${removed}\n`,
  );

function line({ id, name, report: { styles, page } }: WordTemplate): string {
  const size = page ? `${page.width} × ${page.height} mm` : '';
  return [id, name, translate(phrase('out.styles_taken', { count: styles.length })), size]
    .join('  ')
    .trimEnd();
}
