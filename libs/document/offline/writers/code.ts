import { z } from 'zod';
import { chooseFence, continueFence, endsLine } from './fence.js';
import type { Written } from './writer.js';

export const codeStateSchema = z.object({
  kind: z.literal('code'),
  language: z.string(),
  title: z.string(),
  /** Delimiter of the open code fence; null before the first stretch. */
  fence: z.string().nullable(),
});
export type CodeState = z.infer<typeof codeStateSchema>;

/** Maximum number of characters per append, unless a single line is longer. */
const MAX_APPEND_LENGTH = 900_000;

/**
 * Carries a file in one code fence, byte for byte, including carriage returns and trailing blanks. Cuts
 * stretches after a line feed, because an append always ends its last line.
 */
export function writeCode(state: CodeState, text: string, last: boolean): Written<CodeState> {
  const content = cutLines(text, last);
  const isEnd = last && content.length === text.length;
  if (content === '' && !isEnd) return { markdown: '', consumed: 0, state };
  if (state.fence === null && content === '')
    return { markdown: `# ${state.title}\n\nThe file is empty.\n`, consumed: 0, state };
  const { markdown, fence } =
    state.fence === null
      ? begin(state, content, isEnd)
      : continueFence(content, state.fence, state.language, isEnd);
  const end = isEnd ? `${endsLine(content) ? '' : '\n'}${fence}\n` : '';
  return { markdown: markdown + end, consumed: content.length, state: { ...state, fence } };
}

/** Returns as many whole lines as one append may contain; never splits a line, however long. */
function cutLines(text: string, last: boolean): string {
  if (last && text.length <= MAX_APPEND_LENGTH) return text;
  const end = text.lastIndexOf('\n', MAX_APPEND_LENGTH) + 1 || text.indexOf('\n') + 1;
  return end === 0 && last ? text : text.slice(0, end);
}

function begin(state: CodeState, content: string, whole: boolean): { markdown: string; fence: string } {
  const fence = chooseFence(content, whole);
  return { markdown: `# ${state.title}\n\n${fence}${state.language}\n${content}`, fence };
}
