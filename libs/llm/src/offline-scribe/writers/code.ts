import { z } from 'zod';
import { chooseFence, continueFence, endsLine } from './fence.js';
import type { Written } from './writer.js';

export const codeStateSchema = z.object({
  kind: z.literal('code'),
  language: z.string(),
  title: z.string(),
  /** The open fence; null before the first stretch. */
  fence: z.string().nullable(),
});
export type CodeState = z.infer<typeof codeStateSchema>;

/**
 * Carries a file wholly inside one fence, byte for byte, carriage returns and trailing blanks included. Stretches are cut behind a line feed,
 * because an append always ends its last line.
 */
export function writeCode(state: CodeState, text: string, last: boolean): Written<CodeState> {
  const content = last ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  if (content === '' && !last) return { markdown: '', consumed: 0, state };
  if (state.fence === null && content === '')
    return { markdown: `# ${state.title}\n\nThe file is empty.\n`, consumed: 0, state };
  const { markdown, fence } =
    state.fence === null
      ? begin(state, content, last)
      : continueFence(content, state.fence, state.language, last);
  const end = last ? `${endsLine(content) ? '' : '\n'}${fence}\n` : '';
  return { markdown: markdown + end, consumed: content.length, state: { ...state, fence } };
}

function begin(state: CodeState, content: string, whole: boolean): { markdown: string; fence: string } {
  const fence = chooseFence(content, whole);
  return { markdown: `# ${state.title}\n\n${fence}${state.language}\n${content}`, fence };
}
