import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { ToolError } from '#kit/graph/ports.js';
import { refusedTitleWords } from '#verbatim/own-lines/own-lines.js';
import { isZoneHeading, ZONE_HEADINGS } from '#verbatim/own-lines/vocabulary.js';
import { isSupported } from '#verbatim/own-lines/zones.js';
import type { ToolSession } from './tool-session.js';
import { sourceNameSchema, textSchema } from './validation.js';

const SENTENCES = 12;

const line = z.number().int().min(1);
const SCHEMAS = {
  set_title: z.object({
    title: textSchema(200)
      .min(1)
      .regex(/^\S[^\n]*$/),
    filename: sourceNameSchema.optional().describe('file of the quoted line'),
    line: line.optional(),
  }),
  write_summary: z.object({
    heading: textSchema(40)
      .default('In short')
      .describe(`in the language of the document: ${[...ZONE_HEADINGS].join(', ')}`),
    sentences: z
      .array(
        z.object({
          text: textSchema(500).regex(/^[^\n]+$/),
          filename: sourceNameSchema,
          from_line: line.describe('first source line that states all of the sentence'),
          to_line: line.describe('last such line'),
        }),
      )
      .min(1)
      .max(SENTENCES),
  }),
};
type Sentence = z.infer<typeof SCHEMAS.write_summary>['sentences'][number];

/** Tools for what the model says in its own words; each is checked against the sources. */
export function ownWordsTools(session: ToolSession): StructuredToolInterface[] {
  const title = tool(
    async ({ title: text, filename, line: at }) => {
      const quoted = filename === undefined || at === undefined ? null : await lineOf(session, filename, at);
      const names = (await session.ports.inputs.list()).map(({ name }) => name);
      const refused = refusedTitleWords(text, quoted, names);
      if (refused !== null)
        throw new ToolError(
          `no source supports "${refused.join('", "')}": take an unbroken run of words from one line and name ` +
            'the line, or the name of a file or folder',
        );
      session.title = text;
      return `The title is "${text}".`;
    },
    {
      name: 'set_title',
      description:
        'Set the title of the document: an unbroken run of words from one line of a file, or the name of a file or folder.',
      schema: SCHEMAS.set_title,
    },
  );
  return session.hasSummary ? [title, summaryTool(session)] : [title];
}

function summaryTool(session: ToolSession): StructuredToolInterface {
  const { manuscripts } = session.ports;
  return tool(
    async ({ heading, sentences }) => {
      if (!isZoneHeading(heading))
        throw new ToolError(`"${heading}" is none of: ${[...ZONE_HEADINGS].join(', ')}`);
      const [first = ''] = await manuscripts.lines(session.manuscript);
      if (first.startsWith('# ') && isZoneHeading(first))
        throw new ToolError(
          `the manuscript begins with the summary "${first.slice(2)}" already: change its lines with replace_lines, or ` +
            'leave it as it is',
        );
      for (const sentence of sentences) await checkSentence(session, sentence);
      const texts = sentences.map(({ text }) => `- ${text.trim()}`);
      const markdown = `# ${heading}\n\n${texts.join('\n')}\n\n`;
      const version = await manuscripts.replaceLines(session.manuscript, 1, 0, markdown);
      session.moveTo(version);
      return `Written at the start; the manuscript has ${version.lines} lines.`;
    },
    {
      name: 'write_summary',
      description:
        'Write a summary at the start of the manuscript, once, when every file is placed: what happened or is described, ' +
        'the result, what is open. Each sentence says what one to three source lines say, with their numbers, names and ' +
        'negations, in your words or theirs.',
      schema: SCHEMAS.write_summary,
    },
  );
}

/** @throws ToolError if the lines do not state all that the sentence states */
async function checkSentence(session: ToolSession, { text, filename, from_line, to_line }: Sentence) {
  const lines = await session.sources.read(filename);
  const cited = lines.slice(from_line - 1, to_line).join('\n');
  if (cited.trim() !== '' && isSupported(text, { name: filename, text: cited })) return;
  throw new ToolError(
    `lines ${from_line} to ${to_line} of "${filename}" do not support "${text}": say only what they say, with the same ` +
      'numbers, names and negations',
  );
}

async function lineOf(session: ToolSession, filename: string, at: number): Promise<string> {
  const lines = await session.sources.read(filename);
  const found = lines[at - 1];
  if (found === undefined) throw new ToolError(`"${filename}" has the lines 1 to ${lines.length}`);
  return found;
}
